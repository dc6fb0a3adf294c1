import { TerraformProvider, TerraformResource, type TerraformResourceConfig } from 'cdktf';
import type { Construct } from 'constructs';

// The build puts this in the place of `@cdktf/provider-null` where an app is one of cdktn: that
// binding imports cdktf, and the continuation has none of its own.

const METADATA = {
  providerName: 'null',
  providerVersion: '3.2.4',
  providerVersionConstraint: '~> 3.0',
};

export class NullProvider extends TerraformProvider {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      terraformResourceType: 'null',
      terraformProviderSource: 'null',
      terraformGeneratorMetadata: METADATA,
    });
  }
}

type Config = Pick<TerraformResourceConfig, 'dependsOn' | 'provisioners'> & {
  readonly triggers: Readonly<Record<string, string>>;
};

/** A `null_resource`. */
export class Resource extends TerraformResource {
  readonly #triggers: Config['triggers'];

  constructor(scope: Construct, id: string, { triggers, ...config }: Config) {
    super(scope, id, {
      terraformResourceType: 'null_resource',
      terraformGeneratorMetadata: METADATA,
      ...config,
    });
    this.#triggers = triggers;
  }

  protected override synthesizeAttributes() {
    return { triggers: this.#triggers };
  }
}

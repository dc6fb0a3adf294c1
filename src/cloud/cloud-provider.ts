import { TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { kind, number, text } from './props/kinds.js';
import { object, optional, propsProblems, required, type Shape } from './props/shape.js';
import { GENERATOR } from './resource.js';
import { CLOUD_PROVIDER } from './table/index.js';
import { REGION } from './table/names.js';

export interface CloudProviderProps {
  /** Region of every resource: `cn-beijing`, North China 2, where the service is. */
  readonly region: string;
  /** @default - the provider without an alias */
  readonly alias?: string;
  /**
   * A role to assume.
   * @default - the identity of the credentials
   */
  readonly assumeRole?: {
    readonly trn: string;
    /** Lifetime of the role's session in seconds. */
    readonly durationSeconds?: number;
  };
}

/**
 * The cloud's Terraform provider. It takes credentials from the environment
 * (`VOLCENGINE_ACCESS_KEY`, `VOLCENGINE_SECRET_KEY`) only: in the configuration they would be
 * readable in every plan.
 *
 * @example
 * ```ts
 * new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
 * ```
 */
export class CloudProvider extends TerraformProvider {
  readonly #props: CloudProviderProps;

  constructor(scope: Construct, id: string, props: CloudProviderProps) {
    super(scope, id, {
      terraformResourceType: CLOUD_PROVIDER.name,
      terraformProviderSource: CLOUD_PROVIDER.source,
      terraformGeneratorMetadata: GENERATOR,
    });
    this.#props = props;
    this.node.addValidation({ validate: () => propsProblems(PROPS, props) });
  }

  override get alias(): string | undefined {
    return this.#props?.alias;
  }

  override set alias(_: string | undefined) {
    throw new TypeError('`alias` is fixed at construction');
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    const { region, alias, assumeRole } = this.#props ?? NOTHING;
    return {
      region,
      ...(alias !== undefined && { alias }),
      ...(assumeRole && {
        assume_role: {
          assume_role_trn: assumeRole.trn,
          duration_seconds: assumeRole.durationSeconds,
        },
      }),
    };
  }
}

/** Props in place of those that JavaScript left out, which a validation reports. */
const NOTHING: Partial<CloudProviderProps> = {};

const PROPS: Shape<CloudProviderProps> = {
  region: required(
    kind(
      `"${REGION}", where the service and its endpoints are`,
      (value): value is string => value === REGION,
    ),
  ),
  alias: optional(text),
  assumeRole: optional(
    object<NonNullable<CloudProviderProps['assumeRole']>>('an object with trn', {
      trn: required(text),
      durationSeconds: optional(number),
    }),
  ),
};

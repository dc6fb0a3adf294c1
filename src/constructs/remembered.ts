import { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';

/** One value that must stay, and what to do where it must not. */
interface Remembrance {
  /** The value as of now. */
  readonly value: string;
  /** What to say where it is another one than before; `${before}` is the value that was deployed. */
  readonly refusal: (before: string) => string;
}

/**
 * Remembers values as they were when this was first deployed, so that a change of one of them is
 * refused while Terraform plans: nothing else tells a plan what was there before. It is forgotten with
 * what it belongs to, for it is made and destroyed together with it.
 */
export class Remembered extends TerraformResource {
  /** For the lifecycle of a resource that must not be deployed with other values. */
  readonly preconditions: { readonly condition: string; readonly errorMessage: string }[];
  readonly #values: Readonly<Record<string, Remembrance>>;

  constructor(scope: Construct, id: string, values: Readonly<Record<string, Remembrance>>) {
    super(scope, id, {
      terraformResourceType: 'terraform_data',
      lifecycle: { ignoreChanges: ['input'] },
    });
    this.#values = values;
    this.preconditions = Object.entries(values).map(([name, { value, refusal }]) => {
      const before = `${this.fqn}.output.${name}`;
      return {
        condition: `\${${before} == ${JSON.stringify(value)}}`,
        errorMessage: refusal(`\${${before}}`),
      };
    });
  }

  protected override synthesizeAttributes() {
    const values = Object.entries(this.#values).map(([name, { value }]) => [name, value]);
    return { input: Object.fromEntries(values) };
  }
}

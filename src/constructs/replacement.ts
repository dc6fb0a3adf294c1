import { createHash } from 'node:crypto';
import { TerraformResource, Token } from 'cdktf';
import type { Construct } from 'constructs';

/**
 * Hashes the parts of a resource that cannot change: another value of one replaces it. During a deploy both
 * generations exist at once, because the new one is created first; whatever must differ between them
 * (names, addresses) is derived from this hash.
 *
 * @param parts tokens count as nothing: their values are not known at synth
 */
export function hashGeneration(...parts: readonly (string | undefined)[]): string {
  const known = parts.map((part) => (part === undefined || Token.isUnresolved(part) ? '' : part));
  return createHash('sha256').update(JSON.stringify(known)).digest('hex').slice(0, 6);
}

/** A name that no other generation of the same resource has. */
export function generationName(name: string, generation: string): string {
  return `${name}-${generation}`;
}

/**
 * The new resource is made before the old one is destroyed. Terraform keeps it in the state, so that a
 * resource that leaves the configuration too is destroyed only after its users let go of it.
 */
export const REPLACED_FIRST = { createBeforeDestroy: true } as const;

/** One value that must stay, and what to do where it must not. */
interface Remembrance {
  /** The value as of now. */
  readonly value: string;
  /** Words the refusal of another value; `${before}` is the value that was deployed. */
  readonly refusal: (before: string) => string;
}

/**
 * Remembers values as they were when this was first deployed, so that a change of one of them is
 * refused while Terraform plans: nothing else tells a plan what was there before. It is forgotten with
 * what it belongs to, for it is made and destroyed together with it.
 */
export class Remembered extends TerraformResource {
  /** Preconditions for the lifecycle of a resource that must not be deployed with other values. */
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

import { createHash } from 'node:crypto';
import { Token } from 'cdktf';

/**
 * What a resource is made of for good: a change of any part replaces it. Two generations of a resource
 * are there at once while a change is deployed, for the new one comes before the old one goes; what
 * must differ between them (names, addresses) is derived from this.
 *
 * @param parts tokens count as nothing: their values are not known at synth
 */
export function generationOf(...parts: readonly (string | undefined)[]): string {
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

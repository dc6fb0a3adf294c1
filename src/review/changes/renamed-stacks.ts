import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import type { Finding } from '../report-schema.js';

/** The resource of rows that are about a whole stack. */
const WHOLE_STACK = 'stack';

/** Such a share of all values is the same in a stack that looks renamed. */
const ALIKE = 0.8;

/** A stack under its old name and its new one. */
export interface StackRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the stacks that are gone while a new one says nearly the same: they look renamed, which
 * Terraform does not know.
 */
export function findRenamedStacks(base: SynthesizedTree, head: SynthesizedTree): StackRename[] {
  const only = (tree: SynthesizedTree, other: SynthesizedTree) =>
    [...tree.values()].filter(({ name }) => !other.has(name));
  const [gone, added] = [only(base, head), only(head, base)];
  if (gone.length === 0 || added.length === 0) return [];
  const here = added.map((stack) => ({ name: stack.name, values: valuesOf(stack) }));
  const all = gone.flatMap((stack) => {
    const values = valuesOf(stack);
    return here.map((to) => ({
      ...{ from: stack.name, to: to.name },
      share: shareOf(values, to.values),
    }));
  });
  const taken = new Set<string>();
  return all
    .filter(({ share }) => share >= ALIKE)
    .sort((a, b) => b.share - a.share)
    .flatMap(({ from, to }) => {
      // Each name is that of a stack before or of one after, never of both.
      if (taken.has(from) || taken.has(to)) return [];
      taken.add(from).add(to);
      return [{ from, to }];
    });
}

/** The tree under the names that its stacks have after a change: what is compared then is what they say. */
export function followRenames(
  tree: SynthesizedTree,
  renames: readonly StackRename[],
): SynthesizedTree {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  const nameOf = (from: string) => names.get(from) ?? from;
  return new Map(
    [...tree].map(([from, stack]) => {
      const name = nameOf(from);
      const dependencies = stack.dependencies?.map(nameOf);
      return [name, { ...stack, name, ...(dependencies && { dependencies }) }];
    }),
  );
}

export function renamedFinding({ from, to }: StackRename): Finding {
  return {
    kind: 'disruption',
    decision: 'needs-approval',
    stack: to,
    resource: WHOLE_STACK,
    ...{ who: '', what: 'the stack', identity: ['renamed', from] },
    ...{ before: from, after: to },
    consequence: `${from} looks renamed to ${to}: Terraform destroys ${from} and creates ${to}`,
  };
}

/** Every value of every resource with its place, but for the name of the stack. */
function valuesOf({ name, terraform: { resources } }: SynthesizedStack): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, one] of Object.entries(value)) add(isList ? place : `${place}.${key}`, one);
    } else found.add(`${place}=${String(value)}`.replaceAll(name, ''));
  };
  for (const { address, body } of resources) add(address, body);
  return found;
}

/** The share of the values of both that are in both. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((value) => b.has(value)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

import type { Finding } from '../report-schema.js';
import type { StackPair } from '../stacks/reviewed-trees.js';

/** In place of a resource where a row is about all of a stack. */
const WHOLE_STACK = 'stack';

/** Such a share of all values is the same in a stack that looks renamed. */
const ALIKE = 0.8;

/** A stack under its old name and its new one. */
export interface StackRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the stacks that are gone while a new one says nearly the same: they look renamed, which
 * Terraform does not know.
 */
export function findRenamedStacks(pairs: readonly StackPair[]): StackRename[] {
  const [gone, added] = [
    pairs.filter(({ after }) => after === undefined),
    pairs.filter(({ before }) => before === undefined),
  ];
  if (gone.length === 0 || added.length === 0) return [];
  const here = added.map(({ name, now }) => ({ name, values: valuesOf(name, now.resources) }));
  const all = gone.flatMap(({ name: from, was }) => {
    const values = valuesOf(from, was.resources);
    return here.map((to) => ({ from, to: to.name, share: shareOf(values, to.values) }));
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

export function renamedFinding({ from, to }: StackRename): Finding {
  return {
    kind: 'disruption',
    decision: 'needs-approval',
    stack: from,
    resource: WHOLE_STACK,
    ...{ who: '', what: '', identity: ['renamed', to] },
    ...{ before: from, after: to },
    consequence: `${from} looks renamed to ${to}: Terraform destroys ${from} and creates ${to}`,
  };
}

/** Every value of every resource with its place, but for the name of the stack. */
function valuesOf(stack: string, resources: StackPair['now']['resources']): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, one] of Object.entries(value)) add(isList ? place : `${place}.${key}`, one);
    } else found.add(`${place}=${String(value)}`.replaceAll(stack, ''));
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

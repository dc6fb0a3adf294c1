import type { TreeStack } from './stacks.js';

interface Order {
  /** The number of stacks that may be changed at once. */
  readonly limit: number;
  /** Names of the stacks whose change comes before that of a stack. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** Ends the work after the stacks that are being changed. */
  readonly isStopped: () => boolean;
}

/** Exit status of each stack in the order of their ends, and names of those that were not begun. */
export interface Changes {
  readonly ended: readonly { readonly name: string; readonly status: number }[];
  readonly skipped: readonly string[];
}

/**
 * Changes each stack after those that come before it. What comes after a stack that failed is skipped,
 * and everything else goes on.
 */
export async function changeInOrder(
  stacks: readonly TreeStack[],
  { limit, before, isStopped }: Order,
  change: (stack: TreeStack) => Promise<number>,
): Promise<Changes> {
  const waiting = new Set(stacks);
  const running = new Map<string, Promise<void>>();
  const ended: { name: string; status: number }[] = [];
  const isDone = (name: string) => ended.some((end) => end.name === name && end.status === 0);
  const isReady = ({ name }: TreeStack) => (before.get(name) ?? []).every(isDone);
  for (;;) {
    for (const stack of [...waiting].filter(isReady)) {
      if (running.size >= limit || isStopped()) break;
      waiting.delete(stack);
      const ending = change(stack).then((status) => {
        running.delete(stack.name);
        ended.push({ name: stack.name, status });
      });
      running.set(stack.name, ending);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return { ended, skipped: [...waiting].map(({ name }) => name) };
}

/**
 * Finds what comes before each stack: the dependencies that the app states, and the stacks whose state
 * it reads by itself. A destroy goes the other way.
 *
 * @param reads names of the stacks whose state a stack reads
 */
export function orderOf(
  verb: 'deploy' | 'destroy',
  stacks: readonly TreeStack[],
  reads: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const names = new Set(stacks.map(({ name }) => name));
  const needs = new Map(
    stacks.map(({ name, dependencies }) => [name, dependencies.filter((one) => names.has(one))]),
  );
  for (const [name, others] of reads) {
    // Two stacks that read each other's state have an order only by what the app states.
    const added = others.filter((one) => names.has(one) && !leadsTo(needs, one, name));
    needs.set(name, [...(needs.get(name) ?? []), ...added]);
  }
  if (verb === 'deploy') return needs;
  return new Map(
    stacks.map(({ name }) => [
      name,
      [...needs].filter(([, others]) => others.includes(name)).map(([other]) => other),
    ]),
  );
}

function leadsTo(needs: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  return from === to || (needs.get(from) ?? []).some((next) => leadsTo(needs, next, to));
}

import { groupBy } from '../../lists/group-by.js';
import type { TimelineStep } from '../report-schema.js';
import type { Clients, WayState } from '../ways/clients.js';
import { joinStates, type Lane } from './lanes.js';

/** Steps during which a way is not open for clients for whom it was. */
export interface Cut {
  readonly from: number;
  /** Absent where it stays so. */
  readonly until?: number;
  /** The reason why it is not open at first. */
  readonly state: WayState;
  /** The clients that are cut off; empty where all are. */
  readonly clients: readonly Clients[];
}

/** Finds the cuts of a lane: clients that are cut off during the same steps are in one. */
export function laneCuts(lane: Lane): Cut[] {
  const { clients, states } = lane;
  if (clients.length === 0) {
    return findCuts(lane).map((cut) => ({
      ...cut,
      state: states[cut.from] ?? 'no-route',
      clients,
    }));
  }
  const cuts = clients.flatMap((client) => findCuts(client).map((cut) => ({ cut, client })));
  const alike = [...groupBy(cuts, ({ cut: { from, until } }) => `${from} ${until}`).values()];
  return alike
    .map((same): Cut => {
      const [{ cut }] = same;
      const all = same.map(({ client }) => client);
      const state = joinStates(all.map((client) => client.states[cut.from]));
      return { ...cut, state, clients: all.length === clients.length ? [] : all };
    })
    .sort((a, b) => a.from - b.from);
}

/** Each thing by its key, with the step from which it holds, and the one that ends it if one does. */
export function findSpans<T>(steps: readonly (readonly T[])[], keyOf: (thing: T) => string) {
  const spans: { readonly thing: T; readonly from: number; until?: number }[] = [];
  const open = new Map<string, (typeof spans)[number]>();
  for (const [i, things] of steps.entries()) {
    const now = new Map(things.map((thing) => [keyOf(thing), thing]));
    for (const [key, span] of open) {
      if (now.has(key)) continue;
      span.until = i;
      open.delete(key);
    }
    for (const [key, thing] of now) {
      if (open.has(key)) continue;
      const span = { thing, from: i };
      open.set(key, span);
      spans.push(span);
    }
  }
  return spans;
}

/** The spans in which a way is not open, after it was. */
export function findCuts({ states }: { readonly states: readonly string[] }) {
  const down = states.map((state) => (state === 'open' ? [] : ['down']));
  return findSpans(down, String)
    .filter(({ from }) => from > 0)
    .map(({ from, until }) => ({ from, ...(until !== undefined && { until }) }));
}

/** `from step 4 to 6`, `from step 4 on`. */
export function stepsText(from: number, until: number | undefined): string {
  return until === undefined ? `from step ${from} on` : `from step ${from} to ${until}`;
}

/** The steps of a finding, with the stack of the first. */
export function spanOf(steps: readonly TimelineStep[], from: number, until: number | undefined) {
  return { stack: steps[from - 1]?.stack ?? '', from, ...(until !== undefined && { until }) };
}

/** Says why something that was open is not open in the end; a deploy that stopped midway removes nothing for good. */
export function lossText(
  { isStopped }: { readonly isStopped?: boolean },
  isInDoubt = false,
): string {
  if (isStopped === true) return 'lost where the deploy stops';
  return isInDoubt ? 'in doubt: perhaps lost for good' : 'lost for good: the change removes it';
}

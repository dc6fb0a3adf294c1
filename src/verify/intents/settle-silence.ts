import type { BackendResult, IntentResult, LinkResult } from '../model/results.js';
import { bracketed, readPort } from '../transport/addresses.js';

/** The results of all vantage points of a run. */
export interface SeenByAll {
  readonly links: readonly LinkResult[];
  readonly backends: readonly BackendResult[];
  readonly intents: readonly IntentResult[];
}

/**
 * Decides on doors that were silent: closed if they are known to listen, for a connection opened to
 * them from elsewhere in this run, or a server of theirs is healthy. Else they would be silent either way.
 */
export function settleSilence({ links, backends, intents }: SeenByAll): IntentResult[] {
  const listening = new Set([
    ...links.flatMap(doorsSeenOpen),
    ...backends.flatMap(({ status, server }) => (status === 'passed' ? (server ?? []) : [])),
    ...intents.flatMap(({ result, door }) =>
      result === 'reachable' || result === 'OPEN' ? (door ?? []) : [],
    ),
  ]);
  return refusalsFirst(
    intents.map(({ isSilent, ...result }): IntentResult => {
      if (!isSilent) return result;
      if (result.door !== undefined && listening.has(result.door)) {
        const { code: _, ...rest } = result;
        return { ...rest, result: 'closed' };
      }
      const seen = `would be silent either way: nothing in this run shows that it listens; ${result.seen}`;
      return { ...result, seen };
    }),
  );
}

/** Doors to which the check of a link has opened a connection. */
export function doorsSeenOpen({ baseUrl, stages }: LinkResult): string[] {
  const port = readPort(new URL(baseUrl));
  return stages.flatMap(({ stage, status, address }) =>
    stage === 'tcp' && status === 'passed' && address !== undefined
      ? [`${bracketed(address)}:${port}`]
      : [],
  );
}

/** The order of a report: open doors first, then those that a refusal left in doubt. */
function refusalsFirst(all: readonly IntentResult[]): IntentResult[] {
  const order = ({ result, seen }: IntentResult) => {
    if (result === 'OPEN') return 0;
    if (result === 'unreachable') return 1;
    return result === 'not shown' && /^E[A-Z]+:/.test(seen) ? 2 : 3;
  };
  return all.toSorted((a, b) => order(a) - order(b));
}

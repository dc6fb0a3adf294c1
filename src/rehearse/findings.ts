import type { Change } from '../review/changes.js';
import type { RehearsedTree } from './read-trees.js';
import { avoidCut, avoidOpening } from './remedies.js';
import type { RehearsalFinding } from './report-schema.js';
import { newBaseUrl, withAddresses } from './timeline/effects.js';
import { clientsCutAt, cutsOf, type Lane, type Span } from './timeline/lanes.js';
import type { Account, Passage } from './timeline/timeline.js';
import { accessText, reasonOf, stepsText } from './words.js';

/** What clients, or whoever guards them, would have noticed of a passage; the worst first. */
export function findingsOf(
  account: Account,
  passage: Passage,
  head: RehearsedTree,
): RehearsalFinding[] {
  const cuts = cutFindings(account, passage, head);
  return [
    ...cuts,
    ...clientChanges(account, passage),
    ...serviceChanges(passage),
    ...openings(account, passage, head),
    // What a link lost, its own finding says.
    ...(cuts.length > 0 ? [] : interruptions(account, passage, head)),
  ];
}

function cutFindings(
  { lanesSeen, steps }: Account,
  { links }: Passage,
  head: RehearsedTree,
): RehearsalFinding[] {
  return lanesSeen.flatMap((lane) =>
    cutsOf(lane).map(({ from, until }): RehearsalFinding => {
      const why = reasonOf(lane.states[from] ?? 'open');
      const domain = newBaseUrl(lane, links.after) === undefined ? '' : ', new domain';
      const when =
        until === undefined ? `for good ${stepsText(from, until)}` : stepsText(from, until);
      const cause = { step: steps[from - 1], steps, head };
      return {
        kind: 'cut',
        stack: lane.stack,
        what: lane.name,
        text: `${lane.name} is down${clientsText(lane, from)} ${when} (${why})${domain}`,
        from,
        ...(until !== undefined && { until }),
        remedy: avoidCut(cause, until === undefined),
      };
    }),
  );
}

/** Names the clients where others are served. */
function clientsText(lane: Lane, step: number): string {
  const cut = clientsCutAt(lane, step);
  return cut.length === 0 ? '' : ` for clients such as ${cut.join(', ')}`;
}

function clientChanges({ lanesSeen }: Account, { links }: Passage): RehearsalFinding[] {
  return lanesSeen
    .filter(({ kind }) => kind === 'link')
    .flatMap((lane): RehearsalFinding[] => {
      const { stack, name, baseUrl = '' } = lane;
      const url = newBaseUrl(lane, links.after);
      const isGone = !links.after.get(stack)?.links.some((link) => link.name === name);
      if (url === undefined && !isGone) return [];
      return [
        {
          kind: 'client-change',
          stack,
          what: name,
          text: isGone
            ? `${name} is gone: clients have to leave ${baseUrl}`
            : `${name} has another base URL: clients have to call ${url} in place of ${baseUrl}`,
          remedy: isGone
            ? 'move every client to another link before the deploy'
            : 'let clients call the API host of a private zone (`privateZone: true`), which stays the same, or deploy the new link beside the old one first',
        },
      ];
    });
}

/** An endpoint service that is made anew has another id, which people have given to the service. */
function serviceChanges({ links }: Passage): RehearsalFinding[] {
  return [...links.before].flatMap(([stack, { plugins = [] }]) =>
    plugins.flatMap(({ name, serviceId }): RehearsalFinding[] => {
      const now = links.after.get(stack)?.plugins?.find((plugin) => plugin.name === name);
      if (now?.serviceId === serviceId) return [];
      const text =
        now === undefined
          ? `${name} is gone: its endpoint service ${serviceId} is no more`
          : `${name} has another endpoint service: the service's console has to be given ${now.serviceId} in place of ${serviceId}`;
      const remedy =
        now === undefined
          ? "delete the private connection in the service's console first"
          : "add a private connection to the new id in the service's console, and accept it, after the deploy";
      return [{ kind: 'client-change', stack, what: name, text, remedy }];
    }),
  );
}

function openings(account: Account, passage: Passage, head: RehearsedTree): RehearsalFinding[] {
  const all = account.access.map(({ transient }) => transient);
  return spansOf(all).map(({ change, from, until }) => ({
    kind: 'transient-opening',
    stack: account.steps[from - 1]?.stack ?? '',
    what: withAddresses(change.subject, passage.addresses),
    text: `${withAddresses(accessText(change), passage.addresses)} ${stepsText(from, until)}, neither before nor after`,
    from,
    ...(until !== undefined && { until }),
    remedy: avoidOpening({ step: account.steps[from - 1], steps: account.steps, head }),
  }));
}

function interruptions(
  account: Account,
  passage: Passage,
  head: RehearsedTree,
): RehearsalFinding[] {
  // The connections of a private link say whom it lets in.
  const all = account.access.map(({ interrupted }) =>
    interrupted.filter(({ peer }) => !/^(?:account|endpoint) /.test(peer)),
  );
  return spansOf(all).map(({ change, from, until }) => ({
    kind: 'interruption',
    stack: account.steps[from - 1]?.stack ?? '',
    what: withAddresses(change.subject, passage.addresses),
    text: `${withAddresses(accessText(change), passage.addresses)}, but not ${stepsText(from, until)}`,
    from,
    ...(until !== undefined && { until }),
    remedy: avoidCut({ step: account.steps[from - 1], steps: account.steps, head }, false),
  }));
}

/** Each change, with the steps during which it holds, by its text. */
function spansOf(steps: readonly (readonly Change[])[]): (Span & { readonly change: Change })[] {
  const spans: { change: Change; from: number; until?: number }[] = [];
  const open = new Map<string, { change: Change; from: number; until?: number }>();
  for (const [i, changes] of steps.entries()) {
    const now = new Map(changes.map((change) => [accessText(change), change]));
    for (const [text, span] of open) {
      if (now.has(text)) continue;
      span.until = i + 1;
      open.delete(text);
    }
    for (const [text, change] of now) {
      if (open.has(text)) continue;
      const span = { change, from: i + 1 };
      open.set(text, span);
      spans.push(span);
    }
  }
  return spans;
}

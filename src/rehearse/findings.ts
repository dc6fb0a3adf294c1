import type { Change } from '../review/changes.js';
import type { RehearsedTree } from './read-trees.js';
import { avoidCut, avoidOpening, BESIDE, type Lost } from './remedies.js';
import type { RehearsalFinding } from './report-schema.js';
import { clientsCutAt, findCuts, type Lane, listenerPort } from './timeline/lanes.js';
import type { Account, Passage } from './timeline/timeline.js';
import {
  accessText,
  isSameHost,
  newBaseUrl,
  newUrlText,
  stepsText,
  wayReason,
  withAddresses,
} from './timeline/wording.js';

/** What clients, or whoever guards them, would have noticed of a passage; the worst first. */
export function makeFindings(
  account: Account,
  passage: Passage,
  head: RehearsedTree,
): RehearsalFinding[] {
  const cuts = cutFindings(account, passage, head);
  return [
    ...cuts,
    ...clientChanges(account, passage),
    ...serviceChanges(passage),
    ...portChanges(account, passage),
    ...openings(account, passage, head),
    // What a link lost, its own finding says.
    ...(cuts.length > 0 ? [] : interruptions(account, passage, head)),
  ];
}

function cutFindings(
  { lanesSeen, steps }: Account,
  passage: Passage,
  head: RehearsedTree,
): RehearsalFinding[] {
  return lanesSeen.flatMap((lane) =>
    findCuts(lane).map(({ from, until }): RehearsalFinding => {
      const why = wayReason(lane.states[from] ?? 'open');
      const when =
        until === undefined ? `for good ${stepsText(from, until)}` : stepsText(from, until);
      const cause = { step: steps[from - 1], steps, head };
      return {
        kind: 'cut',
        stack: lane.stack,
        what: lane.name,
        text: `${lane.name} is down${clientsText(lane, from)} ${when} (${why})${newUrlText(lane, passage.links.after)}`,
        from,
        ...(until !== undefined && { until }),
        remedy: avoidCut(cause, lostBy(lane, until === undefined, lanesSeen, passage)),
      };
    }),
  );
}

function lostBy(lane: Lane, isForGood: boolean, all: readonly Lane[], passage: Passage): Lost {
  const isOpen = ({ stack, kind, states }: Lane) =>
    stack === lane.stack && kind === 'link' && states.every((state) => state === 'open');
  const open = lane.kind === 'link' ? all.find(isOpen) : undefined;
  const { links = [], plugins = [] } = passage.links.after.get(lane.stack) ?? {};
  const isGone = ![...links, ...plugins].some(({ name }) => name === lane.name);
  const isAnother =
    newBaseUrl(lane, passage.links.after) !== undefined || newPort(lane, passage) !== undefined;
  return {
    kind: lane.kind,
    isForGood,
    after: isGone ? 'gone' : isAnother ? 'another' : 'same',
    ...(open?.baseUrl !== undefined && { open: { name: open.name, baseUrl: open.baseUrl } }),
  };
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
            ? `${name} is removed: clients must stop using ${baseUrl}`
            : `${name} has a new base URL: clients must call ${url} instead of ${baseUrl}`,
          remedy: isGone
            ? 'move every client to another link before the deploy'
            : isSameHost(lane, url ?? '')
              ? BESIDE.link
              : `let clients call the API host of a private zone (\`privateZone: true\`), which stays the same, or change it ${BESIDE.link}`,
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
          ? `${name} is removed, with its endpoint service ${serviceId}`
          : `${name} has a new endpoint service: the service's console needs ${now.serviceId} instead of ${serviceId}`;
      const remedy =
        now === undefined
          ? "delete the private connection in the service's console first"
          : "add a private connection to the new id in the service's console, and accept it, after the deploy";
      return [{ kind: 'client-change', stack, what: name, text, remedy }];
    }),
  );
}

/** A plugin that names the port, or takes it from a scheme, does not find the new listener by itself. */
function portChanges({ lanesSeen }: Account, passage: Passage): RehearsalFinding[] {
  return lanesSeen.flatMap((lane): RehearsalFinding[] => {
    const now = newPort(lane, passage);
    if (now === undefined) return [];
    const text = `${lane.name} listens on port ${now} instead of ${lane.port}: the plugin must be called there`;
    const { stack, name: what } = lane;
    return [{ kind: 'client-change', stack, what, text, remedy: BESIDE.plugin }];
  });
}

/** Where a plugin's endpoint service listens after the deploy, if not where it did before. */
function newPort({ stack, name, port }: Lane, { links, before, steps, service }: Passage) {
  const plugin = links.after.get(stack)?.plugins?.find((one) => one.name === name);
  if (port === undefined || plugin === undefined) return undefined;
  const now = listenerPort(steps.at(-1)?.cloud ?? before, plugin.serviceId, service);
  return now === port ? undefined : now;
}

function openings(account: Account, passage: Passage, head: RehearsedTree): RehearsalFinding[] {
  const all = account.access.map(({ transient }) => transient);
  return findSpans(all).map(({ change, from, until }) => ({
    kind: 'transient-opening',
    stack: account.steps[from - 1]?.stack ?? '',
    what: withAddresses(change.subject, passage.addresses),
    text: `${withAddresses(accessText(change), passage.addresses)} ${stepsText(from, until)}, neither before nor after`,
    from,
    ...(until !== undefined && { until }),
    remedy: avoidOpening(
      { step: account.steps[from - 1], steps: account.steps, head },
      until === undefined ? undefined : account.steps[until - 1],
    ),
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
  return findSpans(all).map(({ change, from, until }) => ({
    kind: 'interruption',
    stack: account.steps[from - 1]?.stack ?? '',
    what: withAddresses(change.subject, passage.addresses),
    text: `${withAddresses(accessText(change), passage.addresses)}, but not ${stepsText(from, until)}`,
    from,
    ...(until !== undefined && { until }),
    remedy: avoidCut({ step: account.steps[from - 1], steps: account.steps, head }),
  }));
}

/** Each change, with the steps during which it holds, by its text. */
function findSpans(steps: readonly (readonly Change[])[]) {
  const spans: { change: Change; from: number; until?: number }[] = [];
  const open = new Map<string, (typeof spans)[number]>();
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

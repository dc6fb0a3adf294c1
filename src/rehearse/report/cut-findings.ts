import { groupBy } from '../../lists/group-by.js';
import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { type Cut, findSpans, laneCuts, lossText, spanOf, stepsText } from '../timeline/cuts.js';
import type { Lane } from '../timeline/lanes.js';
import { isCutInDoubt, isStepInDoubt } from '../timeline/unseen.js';
import { cutText } from '../timeline/wording.js';
import { dialedPort } from '../ways/link-way.js';
import { withAddresses } from '../ways/ways.js';
import { avoidCut, type Lost } from './remedies.js';

/** A cut of a link or plugin. */
export type LinkCut = RehearsalFinding & {
  /** True where all of its clients are cut off from all of its addresses. */
  readonly isWhole: boolean;
  /** The port that they call. */
  readonly port: number | undefined;
};

/** Resolvers give an address for as long as its record said, whatever the zone has by then. */
export function cachedFindings({ lanesSeen }: Account): RehearsalFinding[] {
  return lanesSeen.flatMap(({ stack, name, cached = [] }) =>
    cached
      .filter(({ renamed, from }) => from > renamed)
      .map(({ address, renamed, from, ttlSeconds }) => ({
        kind: 'cut' as const,
        stack,
        what: name,
        text: `${name} is partly cut off from step ${from} on, up to ${ttlSeconds} s after step ${renamed}: resolvers may still give ${address}, which no longer answers`,
        from,
        remedy: `deploy at a quiet hour: resolvers forget the address ${ttlSeconds} s after step ${renamed}`,
      })),
  );
}

/** Finds the cuts of a link or plugin. */
export function cutFindings(lane: Lane, account: Account, head: RehearsedTree): LinkCut[] {
  const { steps } = account;
  const certain = laneCuts(lane).filter((cut) => !isCutInDoubt(account, lane, cut));
  // What more and more clients lose for good, is one loss.
  const grown = groupBy(certain, (cut) => cut.until ?? 'lost');
  const told = [...grown].flatMap(([until, all]) =>
    until === 'lost' ? [all] : all.map((cut) => [cut] as const),
  );
  return told.map(([cut, ...later]) => {
    const { from, until } = cut;
    return {
      kind: 'cut',
      ...spanOf(steps, from, until),
      stack: lane.stack,
      what: lane.name,
      text: cutText(lane, cut, account.passage, later),
      remedy: avoidCut({ step: steps[from - 1], steps, head }, lostBy(lane, cut, account)),
      isWhole: cut.clients.length === 0 && cut.state !== 'partly',
      port: lane.baseUrl === undefined ? lane.port : dialedPort(lane.baseUrl),
    };
  });
}

function lostBy(lane: Lane, { until, state }: Cut, { lanesSeen, passage }: Account): Lost {
  const isOpen = ({ stack, kind, states }: Lane) =>
    stack === lane.stack && kind === 'link' && states.every((state) => state === 'open');
  const { links = [], plugins = [] } = passage.links.after.get(lane.stack) ?? {};
  const isGone = ![...links, ...plugins].some(({ name }) => name === lane.name);
  const isAnother = lane.newBaseUrl !== undefined || lane.newPort !== undefined;
  return {
    kind: lane.kind,
    isForGood: until === undefined,
    isOfName: state === 'no-name' || state === 'public',
    after: isGone ? 'gone' : isAnother ? 'another' : 'same',
    open: lane.kind === 'link' ? lanesSeen.find(isOpen) : undefined,
  };
}

/** A VPC that a private zone is not bound to any more: its clients get what the internet has for the name. */
export function nameFindings(account: Account): RehearsalFinding[] {
  const { lostNames: lost, passage } = account;
  return findSpans(lost, ({ name, vpc }) => JSON.stringify([name, vpc])).map(
    ({ thing: { name, vpc }, ...span }) =>
      closed(account, span, {
        what: name,
        does: `clients in ${withAddresses(vpc, passage.addresses)} can no longer resolve ${name} to its endpoint`,
        remedy:
          'let these clients use another name before the deploy, or keep their VPC bound to the zone',
      }),
  );
}

/** Calls get to a listener and no further; a plugin that is connected says it already. */
export function backendFindings(account: Account): RehearsalFinding[] {
  const { closedBackends, passage } = account;
  const named = (text: string) => withAddresses(text, passage.addresses);
  const spans = findSpans(closedBackends, (one) => `${one.serverGroup} ${one.isPartial}`);
  return spans
    .filter(({ thing, from }) => !(thing.isUnclear && isStepInDoubt(account, from)))
    .map(({ thing: { serverGroup, why, isPartial }, ...span }) => {
      const what = named(serverGroup);
      return closed(account, span, {
        what,
        does: isPartial
          ? `${what} does not reach a part of its servers`
          : `calls that ${what} gets fail`,
        why: named(why),
        remedy:
          span.until === undefined
            ? 'keep a server that gets calls, and the rule of its group that lets the load balancer in'
            : 'in three deploys: first let the servers listen on both ports and add one with the new port; then give the old one weight 0; then remove it',
      });
    });
}

/** Says of something that is closed during some steps whether it opens again. */
function closed(
  { steps, passage }: Account,
  { from, until }: { readonly from: number; readonly until?: number },
  {
    what,
    does,
    why,
    remedy,
  }: Readonly<Record<'what' | 'does' | 'remedy', string> & { why?: string }>,
): RehearsalFinding {
  const [is, lost] = until === undefined ? ['', ` (${lossText(passage)})`] : [', interrupted', ''];
  const text = `${does}${is} ${stepsText(from, until)}${lost}${why === undefined ? '' : `: ${why}`}`;
  return { kind: 'cut', ...spanOf(steps, from, until), what, text, remedy };
}

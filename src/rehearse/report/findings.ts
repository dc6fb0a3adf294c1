import { groupBy } from '../../lists/group-by.js';
import { isRefused } from '../../reach/intents/answer.js';
import { isEveryEndpoint } from '../../reach/packet-rule.js';
import type { Change } from '../../review/packet-changes.js';
import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding, TimelineStep } from '../report-schema.js';
import type { Account, LostChange } from '../timeline/account.js';
import { findSpans, lossText, spanOf, stepsText } from '../timeline/cuts.js';
import { brokenSpans } from '../timeline/intents.js';
import { unseenFindings } from '../timeline/unseen.js';
import { accessText, joinPeers, packetsOf } from '../timeline/wording.js';
import { withAddresses } from '../ways/ways.js';
import { clientChanges, statedChanges } from './client-changes.js';
import {
  backendFindings,
  cachedFindings,
  cutFindings,
  type LinkCut,
  nameFindings,
} from './cut-findings.js';
import { avoidCut, avoidOpening, type Lost } from './remedies.js';

/** Returns what clients, or whoever guards them, would have noticed of a passage; the worst first. */
export function makeFindings(account: Account, head: RehearsedTree): RehearsalFinding[] {
  const { lanesSeen, access, steps, passage } = account;
  const cuts = lanesSeen.flatMap((lane) => cutFindings(lane, account, head));
  const openings = duringSteps(
    account,
    access.map(({ transient }) => transient),
    (what, when) => ({
      kind: 'transient-opening',
      text: `${what} ${when}, neither before nor after`,
    }),
    (step, end) => avoidOpening({ step, steps, head }, end),
  );
  const interruptions = duringSteps(
    account,
    // The connections of a private link say whom it lets in.
    access.map(({ interrupted }) =>
      interrupted.filter(({ peer }) => !/^(?:account|endpoint) /.test(peer)),
    ),
    (what, when) => ({ kind: 'interruption', text: `${what}, but is interrupted ${when}` }),
    (step) => avoidCut({ step, steps, head }),
  );
  const losses = duringSteps(
    account,
    // Who has to be accepted again from now on keeps the connections that there are.
    access.map(({ lost }) =>
      lost.filter(({ at: { peer } }) => !isEveryEndpoint(peer) && !isGoneGroup(peer, account)),
    ),
    (what, when, { isInDoubt }, until) => {
      const lost = until === undefined ? ` (${lossText(passage, isInDoubt)})` : '';
      return { kind: 'cut', text: `${what.replace(' can ', ' can no longer ')} ${when}${lost}` };
    },
    (step) => avoidCut({ step, steps, head }, FOR_GOOD),
  );
  // A link that is down for everybody says it already; of one that is not, the sets say for whom.
  const whole = cuts.filter(({ isWhole }) => isWhole);
  return [
    ...intentFindings(account, head),
    ...cuts.map(({ isWhole: _, port: __, ...cut }) => cut),
    ...cachedFindings(account),
    ...nameFindings(account),
    ...backendFindings(account).filter((one) => !isSaid(one, whole)),
    ...losses.filter((one) => !isLostWith(one, whole)).map(withoutChange),
    ...clientChanges(account),
    ...statedChanges(passage.trees.find((tree) => tree !== head) ?? [], head),
    ...openings.map(withoutChange),
    // What a link lost, its own finding says.
    ...interruptions
      .filter((one) => !isSaid(one, cuts) && !isSaid({ ...one, until: undefined }, whole))
      .map(withoutChange),
    ...unseenFindings(account),
  ].sort(unseenLast);
}

/** Nobody is a member of a group that is gone. */
function isGoneGroup({ kind, ...peer }: Change['at']['peer'], { passage }: Account): boolean {
  const name = kind === 'group' && 'name' in peer ? peer.name : undefined;
  return passage.steps.some(
    ({ operation, identifier, error }) =>
      operation === 'DELETE' && error === undefined && identifier === name,
  );
}

/** Ranks findings that are not shown after all others. */
export function unseenLast(a: RehearsalFinding, b: RehearsalFinding): number {
  return Number(a.kind === 'not-shown') - Number(b.kind === 'not-shown');
}

/** A step breaks an intent; one that the deploy leaves broken, a deploy would refuse. */
function intentFindings({ intents, steps }: Account, head: RehearsedTree): RehearsalFinding[] {
  const today = new Date().toISOString().slice(0, 10);
  return intents.flatMap((course) =>
    brokenSpans(course)
      .filter(({ from }) => from > 0)
      .map(({ thing, from, until }) => {
        const { name, packet = '' } = thing;
        const [step, end] = [steps[from - 1], steps[(until ?? 0) - 1]];
        const isLeft = until === undefined && isRefused(thing, today);
        return {
          kind: isLeft ? ('failure' as const) : ('intent' as const),
          ...spanOf(steps, from, until),
          what: name,
          text: `${JSON.stringify(name)} is broken ${stepsText(from, until)}: ${packet}`,
          remedy: isLeft
            ? 'do not open it, or change the intent'
            : avoidOpening({ step, steps, head }, end),
        };
      }),
  );
}

/** The packets that a finding is about. */
type AccessFinding = RehearsalFinding & { readonly change: Change };

function withoutChange({ change: _, ...finding }: AccessFinding): RehearsalFinding {
  return finding;
}

/** A link that stops for everybody says that nobody is let in to its port any more. */
function isLostWith({ change, ...span }: AccessFinding, whole: readonly LinkCut[]): boolean {
  if (change.direction !== 'ingress') return false;
  const isIts = ({ port }: LinkCut) =>
    change.services === `tcp ${port}` || change.peer.startsWith('endpoint ');
  return whole.some((cut) => isSaid(span, [cut]) && isIts(cut));
}

const FOR_GOOD: Lost = { kind: 'link', isForGood: true, after: 'same' };

/** The link that is down during the same steps says it already. */
function isSaid(
  { from, until }: Pick<RehearsalFinding, 'from' | 'until'>,
  cuts: readonly RehearsalFinding[],
): boolean {
  return cuts.some((cut) => cut.from === from && cut.until === until);
}

/**
 * A finding for each change, with the steps during which it holds.
 *
 * @param changes those that hold after each step
 * @param remedy against the step that does it; the second ends it
 */
function duringSteps(
  { steps, passage: { addresses } }: Account,
  changes: readonly (readonly LostChange[])[],
  says: (
    what: string,
    when: string,
    change: LostChange,
    until?: number,
  ) => Pick<RehearsalFinding, 'kind' | 'text'>,
  remedy: (step: TimelineStep | undefined, end: TimelineStep | undefined) => string,
): AccessFinding[] {
  const named = (text: string) => withAddresses(text, addresses);
  const spans = findSpans([[], ...changes], (one) => `${accessText(one)} ${one.isInDoubt}`);
  const alike = groupBy(spans, ({ from, until, thing }) => `${from} ${until} ${thing.isInDoubt}`);
  const joined = [...alike.values()].flatMap((same) => {
    const [{ from, until }] = same;
    return joinPeers(same.map(({ thing }) => thing)).map((one) => ({ ...one, from, until }));
  });
  // What grows step by step, and stays so, is one thing.
  const grown = groupBy(joined, (one) => (one.until === undefined ? placeKey(one.change) : one));
  return [...grown.values()].map(([first, ...later]) => {
    const { change, from, until } = first;
    const more = later.map(
      (one) => `, ${named(one.change.peer)} ${stepsText(one.from, undefined)}`,
    );
    const when = `${stepsText(from, until)}${more.join('')}`;
    const { kind, text } = says(named(accessText(change)), when, change, until);
    return {
      kind,
      ...spanOf(steps, from, until),
      what: named(change.subject),
      text,
      remedy: remedy(steps[from - 1], until === undefined ? undefined : steps[until - 1]),
      packets: [
        ...packetsOf(first.all, addresses),
        ...later.flatMap((one) =>
          packetsOf(one.all, addresses).map((packet) => ({ ...packet, from: one.from })),
        ),
      ],
      change,
    };
  });
}

/** A key of what is closed, or opened, whichever addresses get there. */
function placeKey({ effect, direction, subject, services, via, peer, at, isInDoubt }: LostChange) {
  // An account and its endpoint are not parts of one set, as addresses are.
  const who = at.peer.kind === 'addresses' ? '' : peer;
  return JSON.stringify([effect, direction, subject, services, via, who, isInDoubt]);
}

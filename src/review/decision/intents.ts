import { isDeepStrictEqual } from 'node:util';
import {
  applies,
  endText,
  type Intent,
  serviceText,
  type TreeIntents,
} from '../../intents/intents-file.js';
import type { IntentGroup } from '../../intents/read-intents.js';
import { answerText, type IntentAnswer } from '../../reach/intents/answer.js';
import { judgeIntents } from '../../reach/intents/judge-intents.js';
import { type JudgedStack, judgedStack } from '../../reach/intents/scope.js';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { join } from '../packet-changes.js';
import type { Finding, ReviewReport } from '../report-schema.js';
import { reachedStack } from '../stacks/reviewed-trees.js';

/** The intents beside the stacks of both trees. */
export interface IntentsOfTrees {
  readonly base: readonly IntentGroup[];
  readonly head: readonly IntentGroup[];
}

/** The effect of a change on intents: findings, and the table of all. */
export interface ReviewedIntents {
  readonly findings: readonly Finding[];
  readonly rows: NonNullable<ReviewReport['intents']>;
}

/**
 * Judges the intents of both trees by both trees.
 *
 * @param today `YYYY-MM-DD`, against which exceptions are held
 * @throws ConnectivityError `usage.invalid` where those of the tree after name what it does not have
 */
export function reviewIntents(
  { base, head }: IntentsOfTrees,
  before: SynthesizedTree,
  after: SynthesizedTree,
  today: string,
): ReviewedIntents {
  const environments = new Set([...base, ...head].map(environmentOf));
  const all = [...environments].map((environment) => {
    const of = (groups: readonly IntentGroup[]) =>
      groups.find((group) => environmentOf(group) === environment);
    return reviewEnvironment({ environment, today }, [of(base), before], [of(head), after]);
  });
  return {
    findings: all.flatMap(({ findings }) => findings),
    rows: all.flatMap(({ rows }) => rows),
  };
}

function environmentOf({ intents }: IntentGroup): string {
  return intents.environment ?? '';
}

type Side = readonly [group: IntentGroup | undefined, tree: SynthesizedTree];

function reviewEnvironment(
  { environment, today }: Readonly<Record<'environment' | 'today', string>>,
  [was, before]: Side,
  [now, after]: Side,
) {
  const names = new Set([...(was?.stacks ?? []), ...(now?.stacks ?? [])]);
  const [a, b] = [judgedStacks(before, names), judgedStacks(after, names)];
  const stack = [...names][0] ?? '';
  const kept = now?.intents.intents ?? [];
  const judged = kept
    .filter((intent) => applies(intent, now?.intents.environment))
    .map((intent) => {
      const old = was?.intents.intents.find(({ name }) => name === intent.name);
      return {
        intent,
        head: judgeOne(now?.intents, intent, b, true),
        // What was broken already is so by the same sentence, whatever stood there before.
        base: judgeOne(now?.intents, intent, a, false),
        own: old && judgeOne(was?.intents, old, a, false),
      };
    });
  const changed = (was?.intents.intents ?? []).filter((intent) => {
    const same = kept.find(({ name }) => name === intent.name);
    return same === undefined || !isDeepStrictEqual(same, intent);
  });
  const place = { stack, resource: 'intents.json', who: '' };
  return {
    findings: [
      ...judged.flatMap((one) => findBroken(place, today, one)),
      ...changed.map((intent) =>
        findChanged(place, intent, kept, judgeOne(was?.intents, intent, b, false)),
      ),
      ...(was && now ? TERMS.flatMap((term) => findTerm(place, term, was, now)) : []),
    ],
    rows: judged.map(({ intent: { name, expect }, head, own }) => ({
      environment,
      name,
      expect,
      base: own?.verdict ?? 'not judged',
      head: head?.verdict ?? 'not judged',
      detail: head === undefined || head.verdict === 'holds' ? '' : answerText(head),
    })),
  };
}

function judgedStacks(tree: SynthesizedTree, names: ReadonlySet<string>): JudgedStack[] {
  return [...tree.values()]
    .filter(({ name }) => names.has(name))
    .map((stack) => judgedStack(reachedStack(stack)));
}

/** A tree may lack what an intent of the other one names: nothing is said of it there. */
function judgeOne(
  file: TreeIntents | undefined,
  intent: Intent,
  stacks: readonly JudgedStack[],
  mustExist: boolean,
): IntentAnswer | undefined {
  if (file === undefined) return undefined;
  try {
    return judgeIntents({ ...file, intents: [intent] }, stacks)[0];
  } catch (error) {
    if (mustExist) throw error;
    return undefined;
  }
}

type Place = Pick<Finding, 'stack' | 'resource' | 'who'>;

/** An intent of the tree after, judged by that and by the one before, and what stood there before by the latter. */
type Judged = Readonly<Record<'head' | 'base' | 'own', IntentAnswer | undefined>>;

function findBroken(place: Place, today: string, { head, base, own }: Judged): Finding[] {
  if (
    head === undefined ||
    head.verdict === 'holds' ||
    (head.verdict === base?.verdict && head.verdict !== 'broken')
  )
    return [];
  const { name, verdict, packet = '', exception } = head;
  const what = answerText(head, today);
  const common = { ...place, what, before: own?.verdict ?? '', after: verdict };
  if (verdict === 'broken' && base?.verdict !== 'broken') {
    const identity = ['intent', name, packet];
    return [
      { ...common, kind: 'policy', decision: 'forbidden', identity, code: 'policy.intent-broken' },
    ];
  }
  if (verdict === 'broken' && exception !== undefined && exception.expires < today) {
    const identity = ['intent', name, 'exception', exception.expires];
    const code = 'policy.exception';
    return [{ ...common, kind: 'policy', decision: 'forbidden', identity, code }];
  }
  const owner = exception
    ? `exception of ${exception.owner} until ${exception.expires}`
    : 'the intent names no owner and no day in `exception`';
  const consequence =
    verdict === 'broken' ? `broken before this change; ${owner}` : 'it can no longer be decided';
  const identity = ['intent', name, verdict];
  return [{ ...common, kind: 'safeguard', decision: 'needs-approval', identity, consequence }];
}

/** An intent that is edited or removed is judged as it was as well. */
function findChanged(
  place: Place,
  intent: Intent,
  kept: readonly Intent[],
  head: IntentAnswer | undefined,
): Finding {
  const edited = kept.find(({ name }) => name === intent.name);
  const how = edited === undefined ? 'removed' : 'edited';
  const old =
    head === undefined ? 'not judged: nothing has a name of it any more' : answerText(head);
  return {
    ...place,
    kind: 'safeguard',
    decision: 'needs-approval',
    what: `intent ${JSON.stringify(intent.name)} is ${how}; as it was, by the tree after: ${old}`,
    identity: ['intent', how, intent.name, JSON.stringify(intent)],
    before: intentWords(intent),
    after: edited === undefined ? 'none' : intentWords(edited),
  };
}

/** `reachable: from 10.20.0.0/16 to orders, tcp 443`. */
function intentWords({ environments, exception, ...intent }: Intent): string {
  return join(
    ', ',
    `${intent.expect}: from ${endText(intent.from)} to ${endText(intent.to)}`,
    serviceText(intent),
    environments && `in ${environments.join(', ')}`,
    exception && `exception of ${exception.owner} until ${exception.expires}`,
  );
}

/** Other parts of the file that the meaning of an intent depends on. */
const TERMS = ['names', 'workloads'] as const;

function findTerm(
  place: Place,
  term: (typeof TERMS)[number],
  was: IntentGroup,
  now: IntentGroup,
): Finding[] {
  const [before, after] = [was, now].map(({ intents }) => JSON.stringify(intents[term]) ?? 'none');
  if (before === undefined || after === undefined || before === after) return [];
  const what = `\`${term}\` of the intents is edited, and with it what they mean`;
  const identity = ['intent', term, after];
  return [
    { ...place, kind: 'safeguard', decision: 'needs-approval', what, identity, before, after },
  ];
}

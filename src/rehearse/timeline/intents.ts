import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { applies, type Intent, type TreeIntents } from '../../intents/intents-file.js';
import { groupIntents } from '../../intents/read-intents.js';
import { answerText, type IntentAnswer, WORDS } from '../../reach/intents/answer.js';
import { judgeIntents } from '../../reach/intents/judge-intents.js';
import type { JudgedStack } from '../../reach/intents/scope.js';
import type { Reached } from '../../reach/ways/doors.js';
import type { RehearsedTree } from '../read-trees.js';
import type { Effect, TimelineLane } from '../report-schema.js';
import type { NamedLinks } from '../ways/link-way.js';
import { withAddresses } from '../ways/ways.js';
import type { IntentCourse } from './account.js';
import { findSpans, stepsText } from './cuts.js';

/** Everything that names what is in the cloud. */
interface Named {
  readonly links: NamedLinks;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Judges the intents of a tree by the ways in each state: by all that the cloud has then. */
export function followIntents(
  tree: RehearsedTree,
  states: readonly Reached[],
  named: Named,
): IntentCourse[] {
  const files = groupIntents(tree);
  if (files.length === 0) return [];
  const stacks = states.map((reached) => stackOf(reached, named));
  return files.flatMap(({ intents: file }) =>
    file.intents
      .filter((intent) => applies(intent, file.environment))
      .map((intent) => ({
        name: intent.name,
        answers: stacks.map((stack) => inAddresses(answerIn(stack, intent, file), named)),
      })),
  );
}

const VIA = 'service-endpoint';

/** The whole cloud as one stack, in which intents may use Terraform's addresses of what is in it. */
function stackOf(reached: Reached, { links, addresses }: Named): JudgedStack {
  // A group that no endpoint carries at this moment lets nobody call one.
  const ways = reached.ways.filter(
    ({ via, series }) =>
      via !== VIA ||
      series.some(({ list }) => list.carrier.startsWith(privatelinkVpcEndpoint.type)),
  );
  const isThere = ({ subject, via }: JudgedStack['rules'][number]) =>
    via !== VIA || ways.some((way) => way.subject === subject && way.via === via);
  const all = [...links.before.values(), ...links.after.values()].flatMap((one) => one.links);
  const toAddress = (name: string) => withAddresses(name, addresses);
  return {
    ...reached,
    ways: ways.map((way) => ({ ...way, names: [...way.names, ...way.names.map(toAddress)] })),
    named: reached.named.map(({ carrier = '', ...rule }) => ({
      ...rule,
      carrier: toAddress(carrier),
    })),
    rules: reached.stated.all().filter(isThere),
    links: all.map(({ name, via, baseUrl, expectedAddresses }) => {
      const known = expectedAddresses.length > 0 ? expectedAddresses : undefined;
      return { name, via, host: new URL(baseUrl).hostname, addresses: known };
    }),
  };
}

function inAddresses(answer: IntentAnswer, { addresses }: Named): IntentAnswer {
  const { packet, rules, depends } = answer;
  const named = (text: string) => withAddresses(text, addresses);
  return {
    ...answer,
    ...(packet !== undefined && { packet: named(packet) }),
    rules: rules.map((one) => ({ ...one, resource: named(one.resource), rule: named(one.rule) })),
    depends: depends.map(named),
  };
}

function answerIn(stack: JudgedStack, intent: Intent, file: TreeIntents): IntentAnswer {
  try {
    const [answer] = judgeIntents({ ...file, intents: [intent] }, [stack]);
    if (answer !== undefined) return answer;
  } catch (error) {
    if (!(error instanceof ConnectivityError) || error.code !== 'usage.invalid') throw error;
  }
  // The tree has its names, so it is the cloud that does not have them yet, or any more.
  const { name, expect } = intent;
  const verdict = expect === 'closed' ? 'holds' : 'undecided';
  return { name, expect, verdict, rules: [], depends: ['nothing is there at this moment'] };
}

/** The steps during which an intent is broken, with the answer at the first of them. */
export function brokenSpans({ answers }: IntentCourse) {
  const broken = answers.map((answer) => (answer.verdict === 'broken' ? [answer] : []));
  return findSpans(broken, ({ name }) => name);
}

export function intentLane({ name, answers }: IntentCourse): TimelineLane {
  const states = answers.map(({ verdict }) => WORDS[verdict]);
  return { kind: 'intent', stack: '', name: JSON.stringify(name), clients: [], states };
}

/** Returns what a step does to an intent. */
export function intentEffects(course: IntentCourse, number: number): Effect[] {
  return brokenSpans(course).flatMap(({ thing, from, until }): Effect[] => {
    if (from === number) return [{ kind: 'intent-broken', text: answerText(thing) }];
    const text = `${JSON.stringify(course.name)} holds again`;
    return until === number ? [{ kind: 'intent-mended', text }] : [];
  });
}

/** Returns what of an intent is not of the steps, or not decided. */
export function intentNotes(course: IntentCourse): string[] {
  const before = brokenSpans(course).filter(({ from }) => from === 0);
  const unclear = course.answers.map((one) => (one.verdict === 'undecided' ? [one] : []));
  return [
    ...before.map(({ thing }) => `before the change already, ${answerText(thing)}`),
    ...findSpans(unclear, answerText).map(
      ({ thing, from, until }) => `${stepsText(from, until)}, ${answerText(thing)}`,
    ),
  ];
}

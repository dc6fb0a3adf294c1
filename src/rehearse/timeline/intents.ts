import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { applies, type Intent, type TreeIntents } from '../../intents/intents-file.js';
import type { IntentAnswer } from '../../reach/intents/answer.js';
import { groupIntents } from '../../reach/intents/intent-groups.js';
import { judgeIntents } from '../../reach/intents/judge-intents.js';
import type { JudgedStack } from '../../reach/intents/scope.js';
import type { Reached } from '../../reach/ways/doors.js';
import type { RehearsedTree } from '../read-trees.js';
import type { NamedLinks } from '../ways/link-way.js';
import { withAddresses } from '../ways/places.js';
import type { IntentCourse } from './account.js';

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
    if (!(error instanceof ConnectivityError) || error.code !== 'intents.invalid') throw error;
  }
  // The tree has its names, so it is the cloud that does not have them yet, or any more.
  const { name, expect } = intent;
  const verdict = expect === 'closed' ? 'holds' : 'undecided';
  return { name, expect, verdict, rules: [], depends: ['nothing is there at this moment'] };
}

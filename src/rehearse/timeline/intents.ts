import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { applies, type Intent, type TreeIntents } from '../../intents/intents-file.js';
import type { IntentAnswer } from '../../reach/intents/answer.js';
import { groupIntents } from '../../reach/intents/intent-groups.js';
import { judgeIntents } from '../../reach/intents/judge-intents.js';
import { type JudgedStack, judgedStack } from '../../reach/intents/scope.js';
import { asTerraform, toName } from '../../reach/read/cloud-state.js';
import { readTerraform } from '../../reach/read/terraform-json.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import { backendOutputs } from '../ways/backends.js';
import type { NamedLinks } from '../ways/link-way.js';
import { answersOf, answersOutput } from '../ways/owners-answers.js';
import type { IntentCourse } from './account.js';

/** Everything that names what is in the cloud. */
interface Named {
  readonly trees: readonly RehearsedTree[];
  readonly links: NamedLinks;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly service: ServiceNames;
}

/** Judges the intents of a tree in each state, by all that the cloud has then. */
export function followIntents(
  tree: RehearsedTree,
  states: readonly CloudState[],
  named: Named,
): IntentCourse[] {
  const files = groupIntents(tree);
  if (files.length === 0) return [];
  const stacks = states.map((state) => stackOf(state, named));
  return files.flatMap(({ intents: file }) =>
    file.intents
      .filter((intent) => applies(intent, file.environment))
      .map((intent) => ({
        name: intent.name,
        answers: stacks.map((stack) => answerIn(stack, intent, file)),
      })),
  );
}

const VIA = 'service-endpoint';

/** The whole cloud as one stack, with the names that the trees have for what is in it. */
function stackOf(state: CloudState, { trees, links, addresses, service }: Named): JudgedStack {
  const nameOf = (id: string) => nameIn(state, addresses, id);
  const resource = asTerraform(state, nameOf);
  const output = { ...answersOutput(answersOf(trees)), ...backendOutputs(service, nameOf) };
  const rules = trees.flatMap((tree) => tree.flatMap(({ access }) => access?.rules ?? []));
  const cloud = {
    name: 'cloud',
    file: 'the cloud',
    terraform: readTerraform({ resource, output }),
  };
  const judged = judgedStack({ ...cloud, access: { rules }, unread: [] });
  // A group that no endpoint carries at this moment lets nobody call one.
  const ways = judged.ways.filter(
    ({ via, series }) =>
      via !== VIA ||
      series.some(({ list }) => list.carrier.startsWith(privatelinkVpcEndpoint.type)),
  );
  const isThere = ({ subject, via }: JudgedStack['rules'][number]) =>
    via !== VIA || ways.some((way) => way.subject === subject && way.via === via);
  const all = [...links.before.values(), ...links.after.values()].flatMap((one) => one.links);
  return {
    ...judged,
    ways,
    rules: judged.rules.filter(isThere),
    links: all.map(({ name, via, baseUrl, expectedAddresses }) => {
      const known = expectedAddresses.length > 0 ? expectedAddresses : undefined;
      return { name, via, host: new URL(baseUrl).hostname, addresses: known };
    }),
  };
}

/** Terraform's name of an object; one that is replaced shares it with its successor for a while. */
function nameIn({ resources }: CloudState, addresses: Named['addresses'], id: string): string {
  const address = addresses.get(id);
  const isOther = (other: string) => other !== id && addresses.get(other) === address;
  const isShared = Object.values(resources).some((all) => Object.keys(all).some(isOther));
  return address === undefined || isShared ? toName(id) : address.slice(address.indexOf('.') + 1);
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

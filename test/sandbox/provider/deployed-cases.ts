import type { RawRule } from '../../../src/access/access-file.js';
import { TABLE } from '../../../src/cloud/table/index.js';
import type { Attributes } from '../../../src/cloud/table/row.js';
import { packetRule } from '../../../src/reach/packet-rule.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import { compareWithRules, flowText } from '../../../src/review/stacks/disagreement.js';
import { fromProperties } from '../../../src/sandbox/provider/cloud/state-conversion.js';
import type { ObjectValue, Value } from '../../../src/sandbox/provider/value.js';
import { readFlows } from '../../support/read-flows.js';
import type { Synthesized } from '../../support/synth.js';
import type { Case } from './change-cases.js';
import type { Stack, StandInTerraform } from './stand-in-terraform.js';

type Resources = Synthesized['json']['resource'];

/** The resource blocks of many cases as one configuration. */
function merged(all: readonly Synthesized[]): { resource: Resources } {
  const resource: Resources = {};
  for (const { json } of all) {
    for (const [type, blocks] of Object.entries(json.resource)) {
      resource[type] = { ...resource[type], ...blocks };
    }
  }
  return { resource };
}

/** Many cases in one Terraform state: first as they were, then as they are after their change. */
export class DeployedCases {
  static async deploy(terraform: StandInTerraform, cases: readonly Case[]) {
    const stack = await terraform.stack(merged(cases.map(({ before }) => before)));
    await stack.must('apply', '-auto-approve', '-parallelism=40');
    stack.write(merged(cases.map(({ after }) => after)));
    await stack.must('apply', '-auto-approve', '-parallelism=40');
    return new DeployedCases(terraform, stack, await idsOf(stack));
  }

  private constructor(
    private readonly terraform: StandInTerraform,
    readonly stack: Stack,
    private readonly ids: ReadonlyMap<string, string>,
  ) {}

  /** Differences between the rules that the cloud holds and the case's access rules. */
  partings(wanted: Synthesized): string[] {
    const read = readFlows(readTerraform({ resource: this.#held(wanted) }));
    const stated: RawRule[] = JSON.parse(JSON.stringify(wanted.rules));
    const { unstated, unopened } = compareWithRules(
      read,
      stated.map((rule) => packetRule('', rule, new Set())),
    );
    return [
      ...read.unread.map(({ where, why }) => `${where}: ${why}`),
      ...[...unstated, ...unopened].map(flowText),
    ];
  }

  /** Members of sets that the cloud holds otherwise than they are written. */
  differences({ json }: Synthesized): string[] {
    return Object.entries(json.resource).flatMap(([type, blocks]) =>
      Object.entries(blocks).flatMap(([name, block]) => {
        const held = this.#body(type, name);
        return Object.entries(attributesOf(type))
          .filter(([attribute, { spelledOut }]) => spelledOut && block[attribute] !== undefined)
          .filter(([attribute]) => sorted(block[attribute]) !== sorted(held[attribute]))
          .map(([attribute]) => `${type}.${name}.${attribute}`);
      }),
    );
  }

  /** The cloud's content in Terraform's words, with references in the place of ids. */
  #held({ json }: Synthesized): Resources {
    const held: Resources = {};
    for (const [type, blocks] of Object.entries(json.resource)) {
      const bodies = Object.keys(blocks).map((name) => [name, this.#body(type, name)] as const);
      held[type] = Object.fromEntries(bodies);
    }
    return held;
  }

  #body(type: string, name: string): Record<string, unknown> {
    const id = this.ids.get(`${type}.${name}`) ?? '';
    const { cloudType } = rowOf(type);
    const properties = this.terraform.cloud.get(cloudType ?? '', id);
    const body = fromProperties(attributesOf(type), JSON.parse(JSON.stringify(properties)));
    return this.#withReferences(body);
  }

  #withReferences(body: ObjectValue): Record<string, unknown> {
    let text = JSON.stringify(body, (_, value: Value) => (value === null ? undefined : value));
    for (const [address, id] of this.ids) {
      text = text.replaceAll(
        `"prefix_list_id":"${id}"`,
        `"prefix_list_id":"\${${address}.prefix_list_id}"`,
      );
    }
    return JSON.parse(text);
  }
}

async function idsOf(stack: Stack): Promise<Map<string, string>> {
  const state = JSON.parse(await stack.must('show', '-json'));
  const all: { address: string; values: { id: string } }[] = state.values.root_module.resources;
  return new Map(all.map(({ address, values }) => [address, values.id]));
}

function rowOf(type: string): { cloudType?: string; attributes: Attributes } {
  const row = TABLE.find((one) => one.kind === 'resource' && one.type === type);
  if (row === undefined) throw new Error(`there is no ${type} in the table`);
  return row;
}

function attributesOf(type: string): Attributes {
  return rowOf(type).attributes;
}

function sorted(members: unknown): string {
  const texts = (Array.isArray(members) ? members : []).map((member: object) =>
    JSON.stringify(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  return texts.sort().join();
}

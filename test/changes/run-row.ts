import { expect } from 'vitest';
import { clbClb } from '../../src/cloud/table/clb.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../src/cloud/table/vpc.js';
import type { PacketRule } from '../../src/reach/packet-rule.js';
import { asTerraform } from '../../src/reach/read/cloud-state.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { stackWith } from '../../src/reach/read/terraform-json.js';
import type { Step } from '../../src/rehearse/timeline/recorder.js';
import type { WayState } from '../../src/rehearse/ways/clients.js';
import { linkWay } from '../../src/rehearse/ways/link-way.js';
import { pluginWay, readWays } from '../../src/rehearse/ways/ways.js';
import { compareWithRules, flowText } from '../../src/review/stacks/disagreement.js';
import { reviewedTree } from '../../src/review/stacks/reviewed-trees.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import { describeStep } from '../support/describe-step.js';
import { readFlows } from '../support/read-flows.js';
import type { ChangeRun } from './change-run.js';
import type { ChangeRow, Cut, Facts, Settings } from './row.js';
import { BASE } from './settings.js';

/** The address of a client of every row: in the network of its endpoint, in none of its subnets. */
const CLIENT = '10.20.9.9';

/** Deploys the base of a row, then its head, and expects what the row says. */
export async function runRow(run: ChangeRun, row: ChangeRow): Promise<void> {
  run.reset();
  const existing = makeExisting(run);
  const before = identifiers(run);
  const base = await deployBase(run, row, existing);
  const ways = await waysOf(run, row);
  run.steps();
  const facts = { existing, keys: run.keys, endpointIds: base.endpointIds };
  const headSettings = changed(base.settings, row.head, facts);
  const head = await deployHead(run, row, headSettings);
  const steps = run.steps();
  if (head === undefined) {
    expect(steps.map(describeStep), 'a refused change has changed something').toEqual([]);
  } else {
    expect(head.proved).toEqual(row.proves?.(facts) ?? []);
    if (row.isNoOp) expect(steps.map(describeStep)).toEqual([]);
    const { cut = [] } = row;
    const turned = cut.map(({ way, from, until = '' }) => ({ way, from: until, until: from }));
    expect(
      row.isCutEitherWay ? [cut, turned] : [cut],
      steps.map(describeStep).join('\n'),
    ).toContainEqual(cutsOf(ways, base.cloud, steps));
    await expectSettled(run, row);
    expectAccess(run, row, before, { base: base.rules, head: head.rules, steps });
  }
  await destroy(run, row, head === undefined ? base.settings : headSettings);
  const left = identifiers(run).filter(
    (id) => !before.includes(id) && !facts.endpointIds.some((endpoint) => id.endsWith(endpoint)),
  );
  expect(left, 'is left after the destroy').toEqual([]);
}

async function deployBase(run: ChangeRun, row: ChangeRow, existing: Facts['existing']) {
  const facts = { existing, keys: run.keys, endpointIds: [] };
  let settings = changed(BASE[row.stack], row.base ?? (() => {}), facts);
  const endpointIds: string[] = [];
  let { outdir } = run.synthesize(row.stack, settings);
  await apply(run, row);
  if (row.isConnected) {
    const [service] = run.sandbox.cloud.list('Volcengine::PrivateLink::EndpointService');
    endpointIds.push(run.connect(service?.identifier ?? ''));
    settings = changed(
      settings,
      ({ pluginEndpointService }) =>
        Object.assign(pluginEndpointService as object, { acceptedEndpointIds: endpointIds }),
      facts,
    );
    ({ outdir } = run.synthesize(row.stack, settings));
    await apply(run, row);
  }
  const cloud = structuredClone(run.sandbox.cloud.state);
  return { settings, endpointIds, cloud, rules: rulesOf(outdir) };
}

async function deployHead(run: ChangeRun, { stack, outcome }: ChangeRow, settings: Settings) {
  const refusal = outcome === undefined || outcome === 'arrives' ? undefined : outcome;
  if (refusal?.refusedAt === 'synth') {
    expect(() => run.synthesize(stack, settings)).toThrow(refusal.message);
    return undefined;
  }
  const { outdir } = run.synthesize(stack, settings);
  const plan = await run.terraform(stack, 'plan', '-input=false', '-out=change');
  if (refusal !== undefined) {
    expect(plan.output.replaceAll(/\s*│?\s+/g, ' ')).toMatch(refusal.message);
    expect(plan.status).toBe(1);
    return undefined;
  }
  expect(plan.status, plan.output).toBe(0);
  const { status, output } = await run.terraform(stack, 'apply', '-input=false', 'change');
  expect(status, output).toBe(0);
  return { rules: rulesOf(outdir), proved: provedKeys(output) };
}

/** The keys that the checks of a deploy had, in the order in which Terraform started these. */
function provedKeys(output: string): string[] {
  const titles = output.matchAll(
    /Executing: \["node" "[^"]*" "verify" "--links-from-environment" .*"--title" "([^"]*)"\]/g,
  );
  return [...titles].map(([, title = '']) => / with key (\S+)$/.exec(title)?.[1] ?? 'own');
}

async function apply(run: ChangeRun, { stack }: ChangeRow): Promise<void> {
  const args = ['apply', '-input=false', '-auto-approve'];
  const { status, output } = await run.terraform(stack, ...args);
  expect(status, output).toBe(0);
}

async function expectSettled(
  run: ChangeRun,
  { stack, isCheckedAgain = false }: ChangeRow,
): Promise<void> {
  const args = ['plan', '-input=false', '-detailed-exitcode'];
  const { status, output } = await run.terraform(stack, ...args);
  expect(status, output).toBe(isCheckedAgain ? 2 : 0);
  const planned = [...output.matchAll(/^ +# (\S+) (?:must|will) be/gm)].map(([, name]) => name);
  expect(planned).toEqual(isCheckedAgain ? ['null_resource.check'] : []);
  expect(output).not.toContain('Resource Not Found');
}

/** A destroy needs the protection off: in the settings, as people do it. */
async function destroy(run: ChangeRun, { stack }: ChangeRow, settings: Settings): Promise<void> {
  const open = structuredClone(settings);
  for (const option of ['serviceEndpoint', 'pluginEndpointService']) {
    const given = open[option];
    if (typeof given === 'object') Object.assign(given as object, { preventDestroy: false });
  }
  run.synthesize(stack, open);
  const args = ['destroy', '-input=false', '-auto-approve'];
  const { status, output } = await run.terraform(stack, ...args);
  expect(status, output).toBe(0);
}

/** Resources that were there before, for settings that name existing ones. */
function makeExisting({ sandbox: { cloud } }: ChangeRun): Facts['existing'] {
  const vpcId = cloud.create(vpcVpc.cloudType, { VpcName: 'given', CidrBlock: '10.20.0.0/16' });
  const subnet = (zone: string, block: string) =>
    cloud.create(vpcSubnet.cloudType, { VpcId: vpcId, ZoneId: zone, CidrBlock: block });
  const subnetIds = [
    subnet('cn-beijing-a', '10.20.1.0/24'),
    subnet('cn-beijing-b', '10.20.2.0/24'),
  ] as const;
  const otherSubnetId = subnet('cn-beijing-a', '10.20.5.0/24');
  const groupId = cloud.create(vpcSecurityGroup.cloudType, { VpcId: vpcId });
  const loadBalancerId = cloud.create(clbClb.cloudType, {
    Type: 'private',
    SubnetId: subnetIds[0],
  });
  return { vpcId, subnetIds, otherSubnetId, groupId, loadBalancerId };
}

interface Way {
  readonly name: string;
  readonly stateIn: (cloud: CloudState) => WayState;
}

async function waysOf(run: ChangeRun, { stack, isConnected }: ChangeRow): Promise<Way[]> {
  const { links } = await run.links(stack);
  const services = run.sandbox.cloud.list('Volcengine::PrivateLink::EndpointService');
  return [
    ...links.map(({ name, baseUrl }) => ({
      name,
      stateIn: (cloud: CloudState) => {
        const seen = { cloud, reached: readWays(cloud, []) };
        return linkWay(seen, baseUrl, SANDBOX_SERVICE).stateFor(CLIENT);
      },
    })),
    ...services
      .filter(() => isConnected)
      .map(({ identifier }) => ({
        name: 'plugin-endpoint-service',
        stateIn: (cloud: CloudState) => pluginWay(readWays(cloud, []), identifier).state,
      })),
  ];
}

/** From when until when each way was not wholly open. */
function cutsOf(ways: readonly Way[], base: CloudState, steps: readonly Step[]): Cut[] {
  const clouds = [base, ...steps.map(({ cloud }) => cloud)];
  return ways.flatMap(({ name, stateIn }) => {
    expect(stateIn(base), `${name} after the base`).toBe('open');
    const down = clouds.map((cloud) => stateIn(cloud) !== 'open');
    const from = down.indexOf(true);
    if (from === -1) return [];
    const last = down.lastIndexOf(true);
    const step = (index: number) => {
      const { operation, typeName } = steps[index - 1] ?? { operation: '', typeName: '' };
      return `${operation.toLowerCase()} ${typeName.replace('Volcengine::', '')}`;
    };
    const isForGood = last === clouds.length - 1;
    return [{ way: name, from: step(from), until: isForGood ? 'never' : step(last + 1) }];
  });
}

interface Rules {
  readonly base: readonly PacketRule[];
  readonly head: readonly PacketRule[];
  readonly steps: readonly Step[];
}

/** The end opens what the head states, and no step opens more than base and head together. */
function expectAccess(run: ChangeRun, row: ChangeRow, before: readonly string[], rules: Rules) {
  const nothing = { unstated: [], unread: [] };
  const { unopened, ...end } = accessOf(run.sandbox.cloud.state, before, rules.head);
  expect(end).toEqual(nothing);
  expect(unopened.length > 0, unopened.map(flowText).join('\n')).toBe(row.isUnenforced ?? false);
  for (const step of rules.steps) {
    const { unstated } = accessOf(step.cloud, before, [...rules.base, ...rules.head]);
    expect(unstated, `open after ${describeStep(step)}`).toEqual([]);
  }
}

function accessOf(cloud: CloudState, before: readonly string[], rules: readonly PacketRule[]) {
  const own = structuredClone(cloud);
  for (const all of Object.values(own.resources)) {
    for (const id of Object.keys(all).filter((one) => before.includes(one))) delete all[id];
  }
  const read = readFlows(stackWith(asTerraform(own)));
  const { unstated, unopened } = compareWithRules(read, rules);
  return { unstated, unopened, unread: read.unread };
}

function rulesOf(outdir: string): readonly PacketRule[] {
  return reviewedTree(readTree(outdir, 'head')).stacks.flatMap(({ rules }) => rules);
}

function identifiers({ sandbox }: ChangeRun): string[] {
  return sandbox.resources().map(({ identifier }) => identifier);
}

function changed(settings: Settings, change: ChangeRow['head'], facts: Facts): Settings {
  const copy = structuredClone(settings);
  change(copy, facts);
  return copy;
}

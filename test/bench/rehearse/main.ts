/**
 * The cost of a rehearsal by the number of its steps: of what is computed for them alone, and of whole
 * rehearsals, there and back; and one of the shipped production example. Prints a table with the time on
 * the clock and the CPU time of this process, without Terraform's; needs Terraform.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../../scripts/synthesize.js';
import { readRehearsedTree } from '../../../src/rehearse/read-trees.js';
import { rehearse } from '../../../src/rehearse/rehearse.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';

const GROUP = 'Volcengine::VPC::SecurityGroup';
const STEPS = [25, 50, 100, 200, 400];
const WHOLE = [5, 10, 20, 40];

process.stdout.write('| what | steps | s | CPU s |\n| --- | ---: | ---: | ---: |\n');
for (const steps of STEPS) row('computed for the steps', steps, accountFor(steps));
const folder = mkdtempSync(join(tmpdir(), 'bench-rehearse-'));
try {
  for (const steps of WHOLE) row('whole rehearsal of a change', steps, await rehearseChange(steps));
  await synthesize('production', folder);
  const tree = readRehearsedTree(folder, '--base');
  const cost = meter();
  const { head } = await rehearse({ base: [], head: tree });
  row('production example from nothing', head.timeline.steps.length, cost());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Starts to measure; what it answers says how much it was since. */
function meter(): () => Cost {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
}

function row(what: string, steps: number, { ms, cpuMs }: Cost): void {
  const seconds = [ms, cpuMs].map((each) => (each / 1000).toFixed(2)).join(' | ');
  process.stdout.write(`| ${what} | ${steps} | ${seconds} |\n`);
}

/** A stack of so many groups, each of which is changed, there and back. */
async function rehearseChange(steps: number): Promise<Cost> {
  const [base, head] = [443, 8443].map((port) =>
    readRehearsedTree(writeGroups(join(folder, `${steps}-${port}`), steps, port), '--base'),
  );
  if (base === undefined || head === undefined) throw new Error('there are two trees');
  const cost = meter();
  const report = await rehearse({ base, head });
  const elapsed = cost();
  const done = report.head.timeline.steps.length + report.rollback.timeline.steps.length;
  if (done !== 2 * steps) throw new Error(`${steps} steps there and back, got: ${done}`);
  return elapsed;
}

function writeGroups(tree: string, count: number, port: number): string {
  const stack = join(tree, 'stacks', 'bench');
  mkdirSync(stack, { recursive: true });
  const columns = { policy: 'accept', protocol: 'tcp', priority: 10, description: 'clients' };
  const peers = { cidr_ip: '10.20.0.0/16', prefix_list_id: '', source_group_id: '' };
  const rule = { ...columns, ...peers, direction: 'ingress', port_start: port, port_end: port };
  const groups = Array.from({ length: count }, (_, i) => [
    `group-${i}`,
    { vpc_id: 'vpc-1a2b', security_group_name: `group-${i}`, ingress_permissions: [rule] },
  ]);
  const json = {
    terraform: { required_providers: { volcenginecc: { source: 'volcengine/volcenginecc' } } },
    provider: { volcenginecc: { region: 'cn-beijing' } },
    resource: { volcenginecc_vpc_security_group: Object.fromEntries(groups) },
  };
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(json));
  return tree;
}

/** Twenty groups, of which one rule after the other is changed. */
function accountFor(steps: number): Cost {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const VpcId = cloud.create('Volcengine::VPC::VPC', { CidrBlock: '10.0.0.0/8' });
  const rule = (port: number) => ({
    CidrIp: '10.20.0.0/16',
    Description: 'clients',
    Policy: 'accept',
    PortStart: port,
    PortEnd: port,
    Priority: 10,
    Protocol: 'tcp',
  });
  const groups = Array.from({ length: 20 }, (_, i) =>
    cloud.create(GROUP, { VpcId, IngressPermissions: [rule(1000 + i)] }),
  );
  const before = withoutTasks(cloud.state);
  for (let i = 0; i < steps; i += 1) {
    const value = [rule(2000 + i)];
    const patch = [{ op: 'replace', path: '/IngressPermissions', value }];
    cloud.startUpdate(GROUP, groups[i % groups.length] ?? '', patch, String(i));
  }
  const cost = meter();
  makeAccount({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'bench' })),
    links: { before: new Map(), after: new Map() },
    addresses: new Map(),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  return cost();
}

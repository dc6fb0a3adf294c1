/**
 * What a rehearsal costs: a whole one of the shipped production example, and what is computed for its
 * steps alone, by their number. Prints a table; needs Terraform.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../scripts/synthesize.js';
import { readRehearsedTree } from '../../src/rehearse/read-trees.js';
import { rehearse } from '../../src/rehearse/rehearse.js';
import { Recorder, withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { accountOf } from '../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/internet.js';

const GROUP = 'Volcengine::VPC::SecurityGroup';
const STEPS = [25, 50, 100, 200, 400];

process.stdout.write('| what | steps | s |\n| --- | ---: | ---: |\n');
for (const steps of STEPS) row('computed for the steps', steps, accountFor(steps));
const folder = mkdtempSync(join(tmpdir(), 'bench-rehearse-'));
try {
  await synthesize('production', folder);
  const tree = readRehearsedTree(folder, '--base');
  const start = performance.now();
  const { head } = await rehearse({ base: [], head: tree });
  row('production example from nothing', head.timeline.steps.length, performance.now() - start);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function row(what: string, steps: number, ms: number): void {
  process.stdout.write(`| ${what} | ${steps} | ${(ms / 1000).toFixed(2)} |\n`);
}

/** Twenty groups, of which one rule after the other is changed. */
function accountFor(steps: number): number {
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
  const start = performance.now();
  accountOf({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'bench' })),
    links: { before: new Map(), after: new Map() },
    addresses: new Map(),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  return performance.now() - start;
}

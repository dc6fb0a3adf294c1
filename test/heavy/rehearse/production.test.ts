import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTINGS, synthesize } from '../../../scripts/synthesize.js';
import { type RehearsedTree, readRehearsedTree } from '../../../src/rehearse/read-trees.js';
import { rehearse } from '../../../src/rehearse/rehearse.js';
import { type DeployedStates, deployFrom } from '../../../src/rehearse/stage/deploys.js';
import { stackFolder } from '../../../src/rehearse/stage/stack-runner.js';
import { Stage } from '../../../src/rehearse/stage/stage.js';
import { readDeployedState } from '../../../src/rehearse/stage/terraform-state.js';
import { childEnvironment } from '../../../src/sandbox/environment.js';

let folder: string;
let base: RehearsedTree;
let head: RehearsedTree;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'production-'));
  await synthesize('production', join(folder, 'base'));
  const settings = JSON.parse(readFileSync(join(SETTINGS, 'production.json'), 'utf8'));
  settings.network.subnets['cn-beijing-c'] = '10.30.3.0/24';
  settings.serviceEndpoint.zones = Object.keys(settings.network.subnets);
  settings.tags = { owner: 'network' };
  settings.serviceEndpoint.allowedNetworks.push('10.50.0.0/16');
  settings.pluginEndpointService.acceptedEndpointIds = ['ep-1a2b'];
  const { servers } = settings.pluginEndpointService.loadBalancer;
  servers.push({ ...servers[0], ip: '10.40.1.11' });
  const changed = join(folder, 'settings');
  mkdirSync(changed);
  writeFileSync(join(changed, 'production.json'), JSON.stringify(settings));
  await synthesize('production', join(folder, 'head'), changed);
  base = readRehearsedTree(join(folder, 'base'), '--base');
  head = readRehearsedTree(join(folder, 'head'), '--head');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of `terraform show -json` for each stack of the base once it is deployed. */
async function showDeployed(): Promise<Map<string, string>> {
  const stage = await Stage.start({ base, head });
  try {
    const { result } = await deployFrom(stage, base, new Map());
    expect(result).toEqual({ status: 'passed', errors: [] });
    const env = childEnvironment(process.env, stage.sandbox.env);
    const shown = base.map(async ({ name }) => {
      const args = [`-chdir=${stackFolder(stage.folder, name)}`, 'show', '-json'];
      const { stdout } = await promisify(execFile)('terraform', args, { env });
      return [name, stdout] as const;
    });
    return new Map(await Promise.all(shown));
  } finally {
    await stage.stop();
  }
}

test('both stacks of the production example start from what is deployed, with what was changed by hand', async () => {
  const shown = await showDeployed();
  const states: DeployedStates = new Map(
    [...shown].map(([name, json]) => {
      // Somebody has let one more network in.
      const drifted = json.replaceAll('"cidr_ip":"10.30.0.0/16"', '"cidr_ip":"10.30.0.0/15"');
      return [name, readDeployedState(JSON.parse(drifted), '--state')];
    }),
  );
  expect(states.size).toBe(2);
  const report = await rehearse({ base, head, states });
  const cut = (link: string) =>
    expect.stringMatching(
      `^${link} is partly cut off at step \\d+ for clients in 10.31.0.0/16 \\(packets are dropped; lost for good: the change removes it\\)$`,
    );
  expect(report.findings.map(({ text }) => text)).toEqual([
    cut('service-endpoint'),
    cut('service-endpoint-api-host'),
    expect.stringMatching(
      /^10\.31\.0\.0\/16 can no longer reach agent-service:443 from step \d+ on \(/,
    ),
  ]);
  expect(report.base.check.links.map(({ seen }) => seen)).toEqual(Array(3).fill('reachable'));
  const effects = report.head.timeline.steps.flatMap((step) => step.effects);
  expect(effects.map(({ text }) => text)).toContain(
    '10.31.0.0/16 can no longer reach agent-service:443',
  );
  expect(new Set(report.head.timeline.steps.map(({ stack }) => stack)).size).toBe(2);
});

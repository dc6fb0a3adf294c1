import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { markdownReport } from '../../src/review/reports/document.js';
import { exitOf, review } from '../../src/review/review.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { stackOf, TODAY, treeOf } from './trees.js';

const endpoint = (...allowedNetworks: string[]) => ({
  region: 'cn-beijing',
  apiHost: 'api.example.com',
  network: { name: 'agents', cidr: '10.20.0.0/16', subnets: { 'cn-beijing-a': '10.20.1.0/24' } },
  serviceEndpoint: {
    name: 'calls',
    scheme: 'https',
    serviceName: 'com.example.epsvc-1',
    allowedNetworks,
  },
});

const trees = synthesizeAll({
  base: endpoint('10.20.0.0/23'),
  wider: endpoint('10.20.0.0/23', '10.30.0.0/24'),
});

const STACK = readdirSync(join(trees, 'base', 'stacks'))[0] ?? '';

/** The tree of some settings after its stack was renamed, as a synthesis under the new name writes it. */
function renamed(settings: string) {
  const folder = join(trees, `${settings}-renamed`);
  cpSync(join(trees, settings), folder, { recursive: true });
  const stack = join(folder, 'stacks', 'helpers');
  renameSync(join(folder, 'stacks', STACK), stack);
  const files = [
    join(folder, 'manifest.json'),
    join(stack, 'cdk.tf.json'),
    join(stack, 'access.json'),
  ];
  for (const file of files) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(STACK, 'helpers'));
  }
  return readTree(folder, 'renamed');
}

const RENAMED = `${STACK} looks renamed to helpers: Terraform destroys ${STACK} and creates helpers`;

test.each(['base', 'wider'])('a stack that is renamed is said first (%s)', (settings) => {
  const report = review(readTree(join(trees, 'base'), 'base'), renamed(settings), TODAY);
  expect(exitOf(report)).toBe(3);
  expect(report.findings[0]?.consequence).toBe(RENAMED);
  expect(report.summary).toContain(`NEEDS APPROVAL: ${RENAMED}`);
  expect(markdownReport(report)).toContain('looks renamed to helpers');
});

/** A stack with a group, whose tag says the name of the stack. */
function stack(name: string, port = 443, networks = ['10.0.0.0/24', '10.1.0.0/24']) {
  const ports = { port_start: port, port_end: port, protocol: 'tcp', priority: 1 };
  const ingress = networks.map((cidr_ip) => ({ ...ports, policy: 'accept', cidr_ip }));
  const group = {
    description: 'callers of the service',
    vpc_id: 'vpc-1',
    tags: [{ key: 'stack', value: name }],
    ingress_permissions: ingress,
  };
  return stackOf([], { resource: { volcenginecc_vpc_security_group: { callers: group } } }, name);
}

const compare = (base: ReturnType<typeof stack>[], head: ReturnType<typeof stack>[]) =>
  review(treeOf(...base), treeOf(...head), TODAY);

test('of several new stacks the one that is most alike has the new name', () => {
  const near = stack('near', 443, ['10.0.0.0/24', '10.1.0.0/24', '10.2.0.0/24']);
  const { findings } = compare([stack('agents')], [near, stack('helpers')]);
  expect(findings.filter(({ identity }) => identity[0] === 'renamed')).toEqual([
    expect.objectContaining({ before: 'agents', after: 'helpers' }),
  ]);
});

test.each([
  ['a new stack with other content', [stack('agents')], [stack('helpers', 80, ['10.9.0.0/24'])]],
  ['a copy beside the stack', [stack('agents')], [stack('agents'), stack('helpers')]],
  ['a stack that is removed', [stack('agents'), stack('helpers')], [stack('helpers')]],
  ['stacks without resources', [stackOf([], {}, 'agents')], [stackOf([], {}, 'helpers')]],
])('%s is no new name', (_, base, head) => {
  const { findings } = compare(base, head);
  expect(findings.map(({ consequence = '' }) => consequence).join()).not.toContain('renamed');
});

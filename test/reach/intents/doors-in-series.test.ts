import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { synthesizeAll } from '../../support/synthesize-all.js';
import { mutants } from './mutants.js';
import { judge, type PlainStack } from './trees.js';

const settings = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
settings.fixedIpIngress.securityGroup = { vpcId: 'vpc-1' };
const folder = join(synthesizeAll({ sandbox: settings }), 'sandbox', 'stacks');

/** The shipped sandbox, whose backend `tickets` has a security group behind the firewall. */
const shipped = readdirSync(folder).map((name): PlainStack => {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, name, file), 'utf8'));
  return { name, json: read('cdk.tf.json'), access: read('access.json') };
});

const NOT_FROM_THERE = {
  ...{
    name: 'a network of the internet does not call tickets',
    from: '203.0.113.0/24',
    to: 'tickets',
  },
  expect: 'closed',
};
const verdictOf = (stacks: readonly PlainStack[]) => judge(stacks, [NOT_FROM_THERE])[0];

test('what two doors close in series dies by a change of one rule in each, and of none alone', () => {
  expect(verdictOf(shipped)?.verdict).toBe('holds');
  const of = (stacks: readonly PlainStack[], type: string, title: string) =>
    mutants(stacks).filter((one) => one.title.startsWith(type) && one.title.includes(title));
  const widened = of(shipped, 'volcenginecc_vpc_security_group.fixed-ip-ingress', '"0.0.0.0/0"');
  const opened = of(shipped, 'volcenginecc_fwcenter_control_policy', 'action accept');
  expect([widened.length, opened.length].every((count) => count > 0)).toBe(true);
  for (const { title, stacks } of [...widened, ...opened]) {
    expect({ title, verdict: verdictOf(stacks)?.verdict }).toEqual({ title, verdict: 'holds' });
  }
  const both = widened.flatMap(({ stacks }) =>
    of(stacks, 'volcenginecc_fwcenter_control_policy', 'action accept'),
  );
  const broken = both
    .map(({ stacks }) => verdictOf(stacks))
    .filter((answer) => answer?.verdict === 'broken');
  expect(broken.length).toBeGreaterThan(0);
  for (const answer of broken) expect(answer?.packet).toMatch(/ → tickets:8443$/);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rehearsalSchema } from '../../../src/rehearse/report-schema.js';
import { BASE } from '../../changes/settings.js';
import { synthesizeTo } from '../../changes/synthesize.js';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearsed-intents-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const INTENTS = {
  intents: [
    {
      name: 'nobody else does',
      from: { not: ['10.20.0.0/16'] },
      to: 'service-endpoint',
      port: 443,
      expect: 'closed',
    },
  ],
};

/** The shipped stack, and a second rule over a list, which Terraform changes before the rule. */
function tree(name: string, callers: string, port: number, to = 'service-endpoint'): string {
  synthesizeTo(join(folder, name), 'api-access', BASE['api-access']);
  const stacks = join(folder, name, 'stacks');
  const [stack = ''] = readdirSync(stacks);
  const file = join(stacks, stack, 'cdk.tf.json');
  const json = JSON.parse(readFileSync(file, 'utf8'));
  json.resource.volcenginecc_vpc_prefix_list = {
    callers: {
      prefix_list_name: 'callers',
      ip_version: 'IPv4',
      max_entries: 2,
      prefix_list_entries: [{ cidr: callers, description: 'callers' }],
    },
  };
  const [group] = Object.values(json.resource.volcenginecc_vpc_security_group) as {
    ingress_permissions: object[];
  }[];
  const [rule] = group?.ingress_permissions ?? [];
  const prefix_list_id = `\${volcenginecc_vpc_prefix_list.callers.prefix_list_id}`;
  const listed = { cidr_ip: '', prefix_list_id, port_start: port, port_end: port };
  group?.ingress_permissions.push({ ...rule, ...listed });
  writeFileSync(file, JSON.stringify(json));
  const intents = INTENTS.intents.map((intent) => ({ ...intent, to }));
  writeFileSync(join(stacks, stack, 'intents.json'), JSON.stringify({ intents }));
  return join(folder, name);
}

async function rehearse(base: string, head: string) {
  const html = join(folder, 'report.html');
  const formats = ['--format', 'json', '--format', `html=${html}`];
  const { exit, stdout, stderr } = await runCli([
    'rehearse',
    '--base',
    base,
    '--head',
    head,
    ...formats,
  ]);
  const report = exit === 2 ? undefined : rehearsalSchema.parse(JSON.parse(stdout));
  const ofIntents = report?.findings.filter(({ what }) => what === 'nobody else does');
  return { exit, stderr, report, ofIntents, page: () => readFileSync(html, 'utf8') };
}

const BROKEN = '"nobody else does" is broken from step 1 to 2: 10.9.0.1 → agent-service:443';

test('an intent that a deploy breaks in between is named with its steps and a packet', async () => {
  const base = tree('base', '10.20.0.0/16', 443);
  const head = tree('head', '10.9.0.0/16', 8443);
  const { exit, report, ofIntents, page } = await rehearse(base, head);
  expect([exit, report?.summary]).toEqual([3, expect.stringContaining(`INTENT BROKEN: ${BROKEN}`)]);
  expect(ofIntents).toMatchObject([{ kind: 'intent', from: 1, until: 2 }]);
  expect(page()).toContain('holds, then broken');
});

test('one that the deploy leaves broken fails the rehearsal', async () => {
  const base = tree('base', '10.20.0.0/16', 443);
  const { exit, ofIntents } = await rehearse(base, tree('open', '10.9.0.0/16', 443));
  expect([exit, ofIntents]).toMatchObject([
    4,
    [
      {
        kind: 'failure',
        text: expect.stringContaining('is broken from step 1 on: 10.9.0.1 → agent-service:443'),
      },
    ],
  ]);
});

test('a name that nothing has is refused before anything is deployed', async () => {
  const base = tree('base', '10.20.0.0/16', 443);
  const { exit, stderr } = await rehearse(base, tree('typo', '10.20.0.0/16', 443, 'servce'));
  expect([exit, stderr]).toEqual([2, expect.stringContaining('got: "servce"')]);
});

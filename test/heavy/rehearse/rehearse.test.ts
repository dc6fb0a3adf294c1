import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RehearsalReport, rehearsalSchema } from '../../../src/rehearse/report-schema.js';
import { runCli } from '../../support/run-cli.js';
import { runInTerminal } from '../../support/run-in-terminal.js';

/** Begins the line of a terminal anew. */
const CLEAR = '\r\u001b[K';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = { direction: 'ingress', policy: 'accept', protocol: 'tcp', priority: 10 };

/** A group of the callers of a prefix list, as a stack without constructs has it. */
function tree(name: string, callers: string, port: number, policy = 'accept'): string {
  const stack = join(folder, name, 'stacks', 'orders');
  mkdirSync(stack, { recursive: true });
  const source = 'volcengine/volcenginecc';
  const rule = { ...COLUMNS, policy, cidr_ip: '', source_group_id: '', description: 'callers' };
  const json = {
    terraform: { required_providers: { volcenginecc: { source } } },
    provider: { volcenginecc: { region: 'cn-beijing' } },
    resource: {
      volcenginecc_vpc_prefix_list: {
        callers: {
          prefix_list_name: 'callers',
          ip_version: 'IPv4',
          max_entries: 2,
          prefix_list_entries: [{ cidr: callers, description: 'callers' }],
        },
      },
      volcenginecc_vpc_security_group: {
        orders: {
          vpc_id: 'vpc-1a2b',
          security_group_name: 'orders',
          ingress_permissions: [
            {
              ...rule,
              prefix_list_id: `\${volcenginecc_vpc_prefix_list.callers.prefix_list_id}`,
              port_start: port,
              port_end: port,
            },
          ],
          egress_permissions: [
            {
              ...rule,
              direction: 'egress',
              policy: 'drop',
              cidr_ip: '192.0.2.0/32',
              prefix_list_id: '',
              port_start: 1,
              port_end: 1,
            },
          ],
          provisioner: [{ 'local-exec': { command: `touch ${join(folder, 'was-run')}` } }],
        },
      },
    },
  };
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(json));
  return join(folder, name);
}

test('names the step that opens what is open neither before nor after', async () => {
  const [base, head] = [tree('base', '10.1.0.0/16', 443), tree('head', '10.2.0.0/16', 8443)];
  const [json, html] = [join(folder, 'report.json'), join(folder, 'report.html')];
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const formats = ['--format', 'text', '--format', `json=${json}`, '--format', `html=${html}`];
  const { exit, stdout, stderr } = await runCli(
    ['rehearse', '--base', base, '--head', head, ...formats],
    { env: { TMPDIR: temporary } },
  );
  expect(exit).toBe(3);
  expect(stderr.split('\n').slice(0, -1)).toEqual(
    [
      ...['base: orders, stack 1 of 1', 'deploy: orders, stack 1 of 1'],
      'deploy: what clients notice, the check and a second plan',
      'rollback: orders, stack 1 of 1',
      'rollback: what clients notice, the check and a second plan',
      'destroy: orders, stack 1 of 1',
    ].map((line) => `rehearse: ${line}`),
  );
  const opened = /10\.2\.0\.0\/16 can reach .*orders:443/;
  const lost = /10\.1\.0\.0\/16 can no longer reach .*orders:443 from step 1 on/;
  const lines = stdout.replaceAll(/\s+/g, ' ');
  expect(lines).toMatch(
    new RegExp(`^CLIENTS NOTICE: ${lost.source} \\(lost for good: .*\\(and 1 more\\)`),
  );
  expect(lines).toMatch(
    /step 1\/2 prefix list updated \(callers\): 10\.2\.0\.0\/16 can reach\s+\S*orders:443\s+\(neither before nor after\)/,
  );
  const report: RehearsalReport = rehearsalSchema.parse(JSON.parse(readFileSync(json, 'utf8')));
  expect(report.findings).toEqual([
    expect.objectContaining({ kind: 'cut', text: expect.stringMatching(lost), from: 1 }),
    expect.objectContaining({
      kind: 'transient-opening',
      text: expect.stringMatching(opened),
      remedy: expect.stringMatching(/^make the change in two deploys: first close what should/),
      from: 1,
      until: 2,
    }),
  ]);
  expect(report.rollback).toMatchObject({
    deploy: { status: 'passed' },
    replan: { status: 'passed' },
  });
  expect(report.destroy).toEqual({ deploy: { status: 'passed', errors: [] }, left: [] });
  expect(readFileSync(html, 'utf8')).toContain('neither before nor after');
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder), 'a provisioner of the tree was run').not.toContain('was-run');
});

test('opens nothing else where the change is made in two deploys, as the remedy says', async () => {
  const base = tree('base', '10.1.0.0/16', 443);
  const closed = tree('closed', '10.1.0.0/16', 443, 'drop');
  const head = tree('head', '10.2.0.0/16', 8443);
  // What the change takes from the old callers, the first deploy takes; nothing is open in between.
  const first = await runCli(['rehearse', '--base', base, '--head', closed, '--format', 'json']);
  const { findings } = rehearsalSchema.parse(JSON.parse(first.stdout));
  expect([first.exit, findings.map(({ kind, text }) => `${kind}: ${text}`)]).toEqual([
    3,
    [
      expect.stringMatching(
        /^cut: 10\.1\.0\.0\/16 can no longer reach .*orders:443 from step 1 on \(/,
      ),
    ],
  ]);
  const second = await runInTerminal(['rehearse', '--base', closed, '--head', head]);
  expect(second.exit, second.screen).toBe(0);
  // One line while it works, of which nothing is left.
  const drawn = second.screen.split(CLEAR);
  expect(drawn[1]).toMatch(/^rehearse: base: orders, stack 1 of 1 \(\d+ s\)$/);
  expect(stripVTControlCharacters(drawn.at(-1) ?? '')).toMatch(/^CLEAN/);
});

test('an interrupted rehearsal says so in one line and leaves nothing', async () => {
  const [base, head] = [tree('base', '10.1.0.0/16', 443), tree('head', '10.2.0.0/16', 8443)];
  const temporary = join(folder, 'interrupted');
  mkdirSync(temporary);
  const { exit, stdout, stderr } = await runCli(['rehearse', '--base', base, '--head', head], {
    env: { TMPDIR: temporary },
    onStart: (kill) => {
      const isStarted = () => readdirSync(temporary).length > 0;
      const waiting = setInterval(() => {
        if (!isStarted()) return;
        clearInterval(waiting);
        setTimeout(() => kill('SIGTERM'), 500);
      }, 20);
    },
  });
  expect([exit, stdout]).toEqual([130, '']);
  expect(stderr.replaceAll(/^rehearse: .*\n/gm, '')).toBe(
    'secure-connectivity: the rehearsal was interrupted; nothing is left of it, run it again\n',
  );
  expect(readdirSync(temporary)).toEqual([]);
});

test('starts from what is deployed, with what was changed by hand', async () => {
  const [base, head] = [tree('base', '10.1.0.0/16', 443), tree('head', '10.1.0.0/16', 8443)];
  const [given, shown] = [join(folder, 'given.json'), join(folder, 'shown.json')];
  const vpc = { volcenginecc_vpc_vpc: { 'vpc-1a2b': { cidr_block: '10.0.0.0/8' } } };
  writeFileSync(given, JSON.stringify(vpc));
  const deploy = `terraform init && terraform apply -auto-approve && terraform show -json >${shown}`;
  const sandbox = ['sandbox', '--state', join(folder, 'sandbox'), '--with', given, '--'];
  const deployed = await runCli([...sandbox, 'sh', '-c', deploy], {
    cwd: join(base, 'stacks', 'orders'),
  });
  expect(deployed.exit, deployed.stdout + deployed.stderr).toBe(0);
  // Somebody has opened another port.
  const byHand = readFileSync(shown, 'utf8').replaceAll('"port_end":443', '"port_end":450');
  writeFileSync(shown, byHand);
  const { exit, stdout } = await runCli([
    ...['rehearse', '--base', base, '--head', head, '--state', `orders=${shown}`],
    ...['--with', given],
  ]);
  expect(exit, stdout).toBe(3);
  // What the callers lose is what they had, and not what the code of the base says.
  const lines = stdout.replaceAll(/\s+/g, ' ');
  expect(lines).toMatch(
    /^CLIENTS NOTICE: 10\.1\.0\.0\/16 can no longer reach .*orders, tcp 443–450 from step 1 on \(lost for good: the change removes it\) Remedy/,
  );
  expect(lines).toMatch(
    /step 1\/1 security group updated \(orders\): .*no longer reach .*tcp 443–450/,
  );
  expect(stdout).toContain('base: works');
});

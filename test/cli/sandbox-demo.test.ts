import { expect, test } from 'vitest';
import { DemoView } from '../../src/cli/sandbox/demo/view.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runCli } from '../support/run-cli.js';

const STACK = 'api-access-sandbox';

/** Lines as Terraform prints those of the check. */
function checkLines(report: string): string[] {
  return report.split('\n').map((line) => `null_resource.check (local-exec): ${line}`);
}

function shownOf(lines: readonly string[], reportOf = STACK): string[] {
  const shown: string[] = [];
  const view = new DemoView((line) => shown.push(line), reportOf);
  for (const line of lines) view.take(line);
  return shown;
}

const PASSED = `connectivity check of ${STACK}: reachable in 312 ms

service-endpoint  service-endpoint  https://ep-1.example
  passed   8 stages  10.20.1.227  2 workspaces`;

test('a deploy is a line beside the report of its check, without what the check says beside it', () => {
  const lines = [
    'volcenginecc_vpc_vpc.network: Creation complete after 0s [id=vpc-1]',
    ...checkLines('verify: access digest 1a2b, of what Terraform opens'),
    ...checkLines(PASSED),
    ...checkLines('verify: a line that comes late'),
    ...checkLines('Executing: the command that reads the status'),
    ...checkLines(`connectivity check of ${STACK}: failed with status 12, report above`),
    'Apply complete! Resources: 10 added, 0 changed, 0 destroyed.',
    `secure-connectivity: ${STACK}: Deploy complete!`,
  ];
  expect(shownOf(lines).join('\n')).toBe(`connectivity check of ${STACK}: reachable in 312 ms
service-endpoint  service-endpoint  https://ep-1.example
  passed   8 stages  10.20.1.227  2 workspaces
${STACK}: Deploy complete: 10 added, 0 changed, 0 destroyed`);
});

test('each of several stacks has the numbers of its own changes', () => {
  const lines = [
    'plugin-access-sandbox  Apply complete! Resources: 15 added, 0 changed, 0 destroyed.',
    `${STACK}  Apply complete! Resources: 10 added, 0 changed, 0 destroyed.`,
    `secure-connectivity: ${STACK}: Deploy complete!`,
    'secure-connectivity: plugin-access-sandbox: Deploy complete!',
  ];
  expect(shownOf(lines)).toEqual([
    `${STACK}: Deploy complete: 10 added, 0 changed, 0 destroyed`,
    'plugin-access-sandbox: Deploy complete: 15 added, 0 changed, 0 destroyed',
  ]);
});

test('the report of another stack is not shown', () => {
  const lines = [...checkLines(PASSED), `secure-connectivity: ${STACK}: failed with status 12`];
  expect(shownOf(lines, 'plugin-access-sandbox')).toEqual([`${STACK}: failed with status 12`]);
});

test('a deploy that the preflight refuses is its first sentence', () => {
  const refusal =
    'secure-connectivity: host.outside-network: this machine has 10.20.1.252, and only 10.20.9.0/24 may call the service. Deploy from inside.';
  const lines = [...checkLines(refusal), `secure-connectivity: ${STACK}: failed with status 2`];
  expect(shownOf(lines)).toEqual([
    'host.outside-network: this machine has 10.20.1.252, and only 10.20.9.0/24 may call the service.',
  ]);
});

test('outside of a project it says how to make one', async () => {
  const { exit, stdout, stderr } = await runCli(['sandbox', 'demo'], {
    cwd: await temporaryFolder(),
  });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /`sandbox demo` must run in a project that `init` has made, got: .*, which has no stacks\/settings\/sandbox\.json; make one by: npx cdktf-secure-connectivity init DIR/,
  );
});

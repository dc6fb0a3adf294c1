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

const PASSED = `connectivity check of ${STACK}
service-endpoint  service-endpoint
                  https://ep-1.example
  note     connect-to 10.20.1.227:443 to 127.0.0.1:1
  passed   dns         4.1 ms  10.20.1.227
  passed   workspaces   34 ms  2 workspaces
                               log id 2026

fixed-ip-egress  fixed-ip-egress  https://static.example
  passed   dns          23 ms  24 addresses
  passed   workspaces  5.6 ms  2 workspaces

reachable in 312 ms`;

test('a deploy is a line beside its report, in which every link but the first is a line', () => {
  const lines = [
    'volcenginecc_vpc_vpc.network: Creation complete after 0s [id=vpc-1]',
    ...checkLines(PASSED),
    'Apply complete! Resources: 10 added, 0 changed, 0 destroyed.',
    `secure-connectivity: ${STACK}: Deploy complete!`,
  ];
  expect(shownOf(lines).join('\n')).toBe(`connectivity check of ${STACK}
service-endpoint  service-endpoint
                  https://ep-1.example
  passed   dns         4.1 ms  10.20.1.227
  passed   workspaces   34 ms  2 workspaces
fixed-ip-egress  fixed-ip-egress  https://static.example  passed 2 stages
reachable in 312 ms
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

const FAILED = `connectivity check of ${STACK}
service-endpoint  service-endpoint  https://ep-1.example
  failed at tcp with tcp.timeout
  endpoint.security-group: The security group drops the packets
    cause   Consistent with: the group allows no inbound
            traffic from here.
    because address=10.20.1.227
    remedy  Allow the port.
    inspect the rules
            of the group
  passed   dns         1.4 ms  10.20.1.227
  failed   tcp        1349 ms  tcp.timeout  port 443
                               error TimedOut
  not run: tls (tcp failed)
  tcp.unreachable: A route is missing
    cause   Consistent with: no route.
    remedy  Add it.
  ruled out: DNS server failure (dns passed)

fixed-ip-egress  fixed-ip-egress  https://static.example
  passed   dns          23 ms  24 addresses

unreachable in 6361 ms, exit 12`;

test('of a failure, the link that failed is shown, with where, the likely cause and its remedy', () => {
  const lines = [...checkLines(FAILED), `secure-connectivity: ${STACK}: failed with status 12`];
  expect(shownOf(lines).join('\n')).toBe(`connectivity check of ${STACK}
service-endpoint  service-endpoint  https://ep-1.example
  failed at tcp with tcp.timeout
  endpoint.security-group: The security group drops the packets
    cause   Consistent with: the group allows no inbound
            traffic from here.
    remedy  Allow the port.
  failed   tcp        1349 ms  tcp.timeout  port 443
  not run: tls (tcp failed)
unreachable in 6361 ms, exit 12
${STACK}: failed with status 12`);
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

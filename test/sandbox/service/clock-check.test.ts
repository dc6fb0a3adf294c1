import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import type { FaultName } from '../../../src/sandbox/faults/index.js';
import { API_HOST } from '../../../src/sandbox/surroundings.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { startDns } from '../../support/dns-responder.js';
import { runHere } from '../../support/run-here.js';
import { sandboxForTest } from '../support.js';

const HOST = 'ep-1.sandbox.example';
const ADDRESS = '10.1.2.3';

/** The program, straight at the sandbox's service: no endpoint needs to be deployed for it. */
async function checkUnder(fault: FaultName, ...flags: readonly string[]) {
  const { env, ports } = await sandboxForTest({ faults: [fault] });
  const { server } = await startDns(() => ({ names: { [HOST]: [ADDRESS] } }));
  const { exit, stdout } = await runHere(
    [
      'verify',
      ...['--base-url', `https://${HOST}`, '--via', 'service-endpoint', '--api-host', API_HOST],
      ...['--tls-server-name', API_HOST, '--expect-address', ADDRESS],
      ...['--connect-to', `${ADDRESS}:443:127.0.0.1:${ports.https}`],
      ...['--format', 'json', ...flags],
    ],
    { env: { ...env, SECURE_CONNECTIVITY_DNS_SERVER: server } },
  );
  const verification = JSON.parse(stdout);
  const [{ stages, notes }] = verification.links;
  expect(exit).toBe(exitOf(verification));
  const reasons = stages.map(reasonOf).filter(Boolean);
  return { exit, reasons, notes, settings: verification.settings };
}

test.each<[fault: FaultName, exit: number, reasons: readonly string[]]>([
  ['clock-ahead', 19, ['host.clock: 60 s']],
  ['clock-skew', 15, ['host.clock: 5 s', 'host.clock: JWT out of time']],
])('%s ends the program with %i', async (fault, exit, reasons) => {
  expect(await checkUnder(fault)).toMatchObject({ exit, reasons });
});

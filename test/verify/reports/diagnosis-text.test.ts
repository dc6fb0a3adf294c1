import { expect, test } from 'vitest';
import type { ProbeResult } from '../../../src/verify/model/verification.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { ADDRESS, check, createWorld, link } from '../../support/verifiable-link.js';
import { GOOD_LINK, verificationOf } from './samples.js';

test.each<
  [probe: Partial<ProbeResult> & Pick<ProbeResult, 'name' | 'changed' | 'ok'>, line: string]
>([
  [
    { name: 'server-time', changed: 'a JWT signed 599.5 s earlier', ok: true },
    'tried    server-time a JWT signed 599.5 s earlier: accepted',
  ],
  [
    {
      name: 'server-time',
      changed: 'a JWT signed 2.0 s later',
      ok: false,
      code: 'token.invalid-client',
    },
    'tried    server-time a JWT signed 2.0 s later: fails with token.invalid-client',
  ],
  [
    {
      name: 'own-address',
      changed: 'of this machine',
      ok: true,
      evidence: { inside: '10.1.0.7', own: '10.1.0.7, 172.17.0.2', networks: '10.1.0.0/16' },
    },
    'seen     own-address of this machine: 10.1.0.7, in 10.1.0.0/16',
  ],
  [
    {
      name: 'clock',
      changed: 'TLS without proof at 10.1.2.3',
      ok: false,
      evidence: { skewMs: -600_000 },
    },
    'tried    clock TLS without proof at 10.1.2.3: clock skew -600000 ms',
  ],
  [
    { name: 'clock', changed: 'TLS without proof at 10.1.2.3', ok: false },
    'tried    clock TLS without proof at 10.1.2.3: fails',
  ],
  [
    { name: 'server-name', changed: 'none', ok: false, code: 'tls.reset' },
    'tried    no server name: fails with tls.reset',
  ],
  [
    { name: 'new-connection', changed: '10.1.2.3', ok: false, evidence: { httpStatus: 503 } },
    'tried    new-connection 10.1.2.3: fails with HTTP 503',
  ],
  [
    { name: 'pinned-address', changed: '10.1.2.3', ok: true },
    'tried    pinned-address 10.1.2.3: works',
  ],
])('a probe is described in words: %o', (probe, line) => {
  const probes = [{ elapsedMs: 1, evidence: {}, ...probe }];
  const text = textReport(verificationOf({ ...GOOD_LINK, probes }), { isVerbose: true });
  expect(text.split('\n')).toContain(`  ${line}`);
});

test('the addresses of a machine outside the network are reported as seen, not as a failed attempt', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const links = [link({ expectedNetworks: ['198.18.0.0/15'], expectedAddresses: [] })];
  const text = textReport(await check(world, { links }), { isVerbose: true });
  expect(text).toMatch(/^ {2}seen {5}own-address of this machine: .+, not in 198\.18\.0\.0\/15$/m);
  expect(text).not.toMatch(/own-address.*(fails|works)/);
});

test('what was given wrong is said once', async () => {
  const world = await createWorld();
  const credentials = { ...world.options.credentials, privateKeyFile: '/no/such/key.pem' };
  const report = textReport(await check(world, { credentials }));
  const said = report.replaceAll(/\s+/g, ' ');
  expect(said).toMatch(/because the private key file \S+ does not exist/);
  expect(report.match(/key\.pem/g)).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { exitOf } from '../../src/verify/model/verdict.js';
import type { Progress } from '../../src/verify/model/verification.js';
import { runHere } from '../support/run-here.js';
import { LOG_ID } from '../support/service-server.js';
import { check, createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

test.each([
  ['the pause before the next attempt', 'retry'],
  ['the probes', 'probes'],
] as const)('an interrupt during %s ends with 130 and what was seen', async (_, during) => {
  const world = await createWorld();
  world.dns = { names: {} };
  const controller = new AbortController();
  const verification = await check(world, {
    waitMs: during === 'retry' ? 600_000 : 0,
    signal: controller.signal,
    onProgress: ({ kind }: Progress) => {
      if (kind === during) controller.abort();
    },
  });
  const [result] = verification.links;
  expect([exitOf(verification), verification.verdict]).toEqual([130, 'unreachable']);
  expect(result?.stages.flatMap(({ code }) => code ?? [])).toEqual([
    'dns.not-found',
    'run.interrupted',
  ]);
  expect(result?.causes.map(({ code }) => code)).toContain('dns.not-found');
});

test('a service that asks for more time than is left is obeyed, and the report says so', async () => {
  const world = await createWorld();
  const headers = { 'x-tt-logid': LOG_ID, 'retry-after': '120' };
  world.service.handler = ({ path }) =>
    path.endsWith('/token') ? { status: 429, headers, body: { code: 1, msg: '' } } : undefined;
  const verification = await check(world, { waitMs: 60_000, names: { waitMs: '--wait' } });
  const [result] = verification.links;
  expect([result?.attempts, exitOf(verification)]).toEqual([1, 15]);
  expect(result?.notes).toEqual([
    expect.stringMatching(
      /^not retried: the service asks callers to wait for 120 s, and `--wait` leaves (59|60) s$/,
    ),
  ]);
});

test('a time that no timer takes is not over at once', async () => {
  const world = await createWorld();
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost, ...worldFlags(world)];
  const long = ['--expect-address', '10.1.0.0/16', '--timeout', '1000h'];
  expect(await runHere(['verify', ...flags, ...long])).toMatchObject({ exit: 0 });
});

test.each(['http_proxy', 'HTTPS_PROXY'])('a percent sign in %s ends no check', async (variable) => {
  const world = await createWorld();
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost, ...worldFlags(world)];
  const env = { [variable]: 'http://user:100%@proxy.example:3128' };
  const run = await runHere(['verify', ...flags, '--expect-address', '10.1.0.0/16'], { env });
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(run.stdout).not.toContain('100%');
});

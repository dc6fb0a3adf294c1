import { createServer } from 'node:net';
import { test } from 'vitest';
import type { VerifyOptions } from '../../../src/verify/model/options.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { startBlackHole } from '../../support/black-hole.js';
import { type Expected, expectDiagnosis } from '../../support/explained.js';
import { listen, startService, TOKEN } from '../../support/service-server.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  link,
  type World,
} from '../../support/verifiable-link.js';

// What is seen of one failure says nothing of another: one link fails in two ways here.

const SECOND = '10.1.2.4';
const UNDECLARED = '10.1.2.5';
const EXPECTED = { expectedAddresses: [`${ADDRESS}/32`, `${SECOND}/32`] };
const MINUTES_OF_DAY = 24 * 60;

type Failure = [
  what: string,
  prepare: (world: World) => Promise<Partial<VerifyOptions>>,
  expected: Expected,
];

const FAILURES: Failure[] = [
  [
    'an address opens and fails in its handshake, and the other does not open',
    async (world) => {
      world.dns = answer(ADDRESS, SECOND);
      const silent = await listen(createServer());
      await world.connectTo({ [ADDRESS]: await startBlackHole(), [SECOND]: silent });
      return { links: [link(EXPECTED)] };
    },
    {
      fails: 'tcp.timeout',
      never: ['path.partial', 'path.partial: one IP family'],
      notRuledOut: [/^the route/],
    },
  ],
  [
    'an address whose later call is lost is none that works',
    async (world) => {
      world.dns = answer(ADDRESS, SECOND);
      world.service.handler = ({ headers }) =>
        headers.authorization === `Bearer ${TOKEN}` ? 'reset' : undefined;
      await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: world.refusingPort });
      return { links: [link(EXPECTED)] };
    },
    { fails: 'tcp.refused', never: ['path.partial'] },
  ],
  [
    'an expected address works, but not the one that the name leads to',
    async (world) => {
      world.dns = answer(UNDECLARED, SECOND);
      await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: world.refusingPort });
      return { links: [link(EXPECTED)] };
    },
    {
      fails: 'tcp.refused',
      shown: ['dns.record-wrong: earlier endpoint', 'path.partial'],
      never: [],
      notRuledOut: [/the endpoint/],
    },
  ],
  [
    'one address answers small calls, and another one none',
    async (world) => {
      world.service.handler = ({ path }) => (path.endsWith('/token') ? 'silent' : undefined);
      world.dns = answer(ADDRESS, SECOND);
      await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: await startBlackHole() });
      return { links: [link({ ...EXPECTED, via: 'fixed-ip-egress', expectedNetworks: [] })] };
    },
    {
      fails: 'tcp.timeout',
      consistent: ['host.egress', 'server.unsteady: one call lost'],
      never: ['path.mtu'],
      notRuledOut: [/path MTU/, /network, for small/],
    },
  ],
  [
    'a JWT is out of its time by the server’s clock, and a certificate by this machine’s',
    async (world) => {
      const behindMs = 10 * 60_000;
      world.service.handler = () => ({
        status: 401,
        headers: { date: new Date(Date.now() - behindMs).toUTCString() },
        body: { error_code: 'invalid_client', error_message: '' },
      });
      const validity = { toDays: -2 / MINUTES_OF_DAY };
      const certificate = await world.authority.issue([ENDPOINT_HOST], validity);
      const other = await startService(certificate);
      other.handler = world.service.handler;
      world.dns = answer(ADDRESS, SECOND);
      await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: other.port });
      return { links: [link(EXPECTED)] };
    },
    {
      fails: 'tls.expired',
      shown: ['host.clock', 'path.partial'],
      never: [],
      notRuledOut: [/clock/],
    },
  ],
];

test.each(FAILURES)('%s: no cause is ruled out', async (_, prepare, expected) => {
  const world = await createWorld();
  const change = await prepare(world);
  const verification = await check(world, { timeoutMs: 4_000, ...change });
  expectDiagnosis(verification, expected);
});

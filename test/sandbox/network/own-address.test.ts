import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { API_HOST } from '../../../src/sandbox/surroundings.js';
import { verify } from '../../../src/verify/run/verify.js';
import { sandboxOptions } from '../../support/sandbox-options.js';
import { buildEndpoint, sandboxForTest } from '../support.js';

/** The check of the endpoint while its connection waits for acceptance. */
async function checkPending(sandbox: Sandbox) {
  buildEndpoint(sandbox.cloud);
  const [endpoint] = sandbox
    .resources()
    .flatMap(({ properties }) => properties.EndpointDomain ?? []);
  const { links } = await verify({
    links: [
      {
        name: 'api',
        via: 'service-endpoint',
        baseUrl: `https://${String(endpoint)}`,
        apiHost: API_HOST,
        tlsServerName: API_HOST,
        expectedAddresses: ['10.20.1.1/32'],
        expectedNetworks: ['10.20.1.0/24'],
      },
    ],
    ...sandboxOptions(sandbox),
    timeoutMs: 3_000,
  });
  return {
    causes: links[0]?.causes.map(({ code }) => code) ?? [],
    own: links[0]?.probes?.find(({ name }) => name === 'own-address'),
  };
}

test('the command is inside the network, whatever the interfaces of this machine', async () => {
  const { causes, own } = await checkPending(
    await sandboxForTest({ faults: ['pending-acceptance'] }),
  );
  expect(own).toMatchObject({ ok: true, evidence: { inside: '10.20.1.252' } });
  expect(causes).toContain('endpoint.missing');
  expect(causes).not.toContain('host.outside-network');
});

test('a client that is moved out of the network is reported as outside', async () => {
  const { causes, own } = await checkPending(
    await sandboxForTest({ faults: ['pending-acceptance'], clientAddress: () => '172.16.0.9' }),
  );
  expect(own).toMatchObject({ ok: false, evidence: { own: '172.16.0.9' } });
  expect(causes).toContain('host.outside-network');
});

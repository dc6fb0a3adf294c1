import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { API_HOST } from '../../../src/sandbox/surroundings.js';
import { verify } from '../../../src/verify/run/verify.js';
import { startDns } from '../../support/dns-responder.js';
import { sandboxOptions } from '../../support/sandbox-options.js';
import { sandboxForTest } from '../support.js';

const ADDRESS = '10.1.2.3';

/** The check with a chat, straight at the service: no endpoint needs to be deployed for it. */
async function deepCheck(sandbox: Sandbox) {
  const { server } = await startDns(() => ({ names: { 'ep-1.sandbox.example': [ADDRESS] } }));
  const { links } = await verify({
    links: [
      {
        name: 'api',
        via: 'service-endpoint',
        baseUrl: 'https://ep-1.sandbox.example',
        apiHost: API_HOST,
        tlsServerName: API_HOST,
        expectedAddresses: [`${ADDRESS}/32`],
        expectedNetworks: [],
      },
    ],
    ...sandboxOptions(sandbox),
    chat: { botId: 'bot', userId: 'user' },
    dnsServer: server,
    connectTo: [`${ADDRESS}:443:127.0.0.1:${sandbox.ports.https}`],
    timeoutMs: 3_000,
  });
  return links[0];
}

test('a chat is held, waited for and read', async () => {
  const result = await deepCheck(await sandboxForTest({ chatPolls: 0 }));
  expect(result?.verdict).toBe('reachable');
  expect(result?.stages.find(({ stage }) => stage === 'chat')).toMatchObject({
    status: 'passed',
    evidence: { answers: 2, polls: 1 },
  });
});

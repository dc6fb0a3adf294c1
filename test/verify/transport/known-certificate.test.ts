import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { errorName } from '../../../src/service/http/transport-code.js';
import { startTls } from '../../../src/verify/transport/tls/secure.js';
import { trustingListed } from '../../../src/verify/transport/tls/trust.js';
import { createAuthority } from '../../support/certificates.js';

const NAME = 'service.example';

async function listen(server: { cert: string; key: string }): Promise<number> {
  const listening = createServer(server, (socket) => socket.resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  listening.on('tlsClientError', () => undefined);
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
}

/** The facts that one handshake shows of the server, or the error that it fails with. */
async function handshake(port: number, ca: string, tlsServerName: string) {
  const plain = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void plain.destroy());
  await once(plain, 'connect');
  const run = { secureContext: () => trustingListed([ca]) };
  const context = { run, tlsServerName, sendsServerName: true } as Parameters<typeof startTls>[0];
  return await startTls(context, plain, new AbortController().signal).then(
    ({ evidence, socket }) => {
      socket.destroy();
      return evidence.subject;
    },
    ({ cause }: { cause: Error }) => errorName(cause),
  );
}

test('a certificate that was seen before is judged by name and authority again', async () => {
  const [own, other] = await Promise.all([createAuthority('own'), createAuthority('other')]);
  const port = await listen(await own.issue([NAME]));
  const first = await handshake(port, own.ca, NAME);
  expect(first).toBeTypeOf('string');
  expect(await handshake(port, own.ca, NAME)).toBe(first);
  expect(await handshake(port, own.ca, 'other.example')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await handshake(port, other.ca, NAME)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
});

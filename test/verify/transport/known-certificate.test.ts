import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
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

test('a certificate that is known is not read again, and is still judged by name and authority', async () => {
  const [own, other] = await Promise.all([createAuthority('own'), createAuthority('other')]);
  const port = await listen(await own.issue([NAME]));
  const read = vi.spyOn(X509Certificate.prototype, 'toLegacyObject');
  onTestFinished(() => read.mockRestore());

  const first = await handshake(port, own.ca, NAME);
  expect(first).toBeTypeOf('string');
  expect(await handshake(port, own.ca, NAME)).toBe(first);
  expect(read).toHaveBeenCalledTimes(1);

  expect(await handshake(port, own.ca, 'other.example')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(await handshake(port, other.ca, NAME)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
});

test('another certificate for the same name is read by itself', async () => {
  const own = await createAuthority('own');
  const ports = [await listen(await own.issue([NAME])), await listen(await own.issue([NAME]))];
  const read = vi.spyOn(X509Certificate.prototype, 'toLegacyObject');
  onTestFinished(() => read.mockRestore());
  for (const port of ports) await handshake(port, own.ca, NAME);
  expect(read).toHaveBeenCalledTimes(2);
});

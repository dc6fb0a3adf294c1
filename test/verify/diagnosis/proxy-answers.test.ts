import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../support/service-server.js';
import { check, createWorld, findingOf } from '../../support/verifiable-link.js';

/** A proxy that answers CONNECT with these bytes, and then leads to a port or waits. */
async function startRaw(bytes: string, behind?: number): Promise<string> {
  const server = createServer((near) => {
    near.on('error', () => undefined);
    near.once('data', () => {
      near.write(bytes, 'latin1');
      if (behind === undefined) return;
      const far = connect(behind, '127.0.0.1');
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

test.each([
  ['an interim answer', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['lines without CR', 'HTTP/1.1 200 OK\nvia: x\n\n'],
  ['the last word of a login', 'HTTP/1.1 200 OK\r\nproxy-authenticate: Negotiate oYG1\r\n\r\n'],
  ['a length of 0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
])('a proxy that opens the tunnel with %s refuses nothing', async (_, bytes) => {
  const world = await createWorld();
  const proxy = await startRaw(bytes, world.service.port);
  expect((await check(world, { proxy, connectTo: [] })).verdict).toBe('reachable');
});

const PAGE = '<html>log in</html>';

test.each([
  ['begins', 'HTTP/1.1 200 O', 'proxy.refused', /got: 14 bytes of an answer within \d+ ms$/],
  [
    'sends a page',
    `HTTP/1.1 200 OK\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`,
    'proxy.refused',
    /got: HTTP 200 with a body in place of a tunnel: "<html>log in<\/html>"$/,
  ],
  [
    'asks for a login',
    'HTTP/1.1 407 X\r\nProxy-Authenticate: Negotiate\r\ncontent-length: 0\r\n\r\n',
    'proxy.refused',
    /by Basic: no other is supported, got: HTTP 407 \(a login by Negotiate\)$/,
  ],
  [
    'leaves a choice of logins',
    'HTTP/1.1 407 X\r\nProxy-Authenticate: NTLM\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n',
    'proxy.refused',
    /tunnel to \S+, got: HTTP 407 \(a login by NTLM or Basic\)$/,
  ],
  ['is none', '220 ftp ready\r\n\r\n', 'proxy.refused', /got: "220 ftp ready"$/],
  [
    'leads elsewhere',
    'HTTP/1.1 302 X\r\nLocation: http://login.example/x?session=1\r\n\r\n',
    'proxy.refused',
    /got: HTTP 302 to http:\/\/login\.example\/x$/,
  ],
])('the report says what a proxy sends that %s', async (_, bytes, code, error) => {
  const world = await createWorld();
  const proxy = await startRaw(bytes);
  const finding = findingOf(await check(world, { proxy, timeoutMs: 6_000 }), 'tcp');
  expect([finding.code, finding.evidence.error]).toEqual([code, expect.stringMatching(error)]);
});

test.each([
  [
    'Negotiate',
    /Have the host allowed without a login or by Basic, or run a proxy on this machine/,
  ],
  ['NTLM', /run a proxy on this machine that logs in/],
  ['Basic realm="x"', /Status 407: provide the proxy’s credentials/],
])('the remedy for a login by %s is one that can be carried out', async (scheme, remedy) => {
  const world = await createWorld();
  const proxy = await startRaw(
    `HTTP/1.1 407 X\r\nProxy-Authenticate: ${scheme}\r\ncontent-length: 0\r\n\r\n`,
  );
  const { links } = await check(world, { proxy, timeoutMs: 6_000 });
  expect(links[0]?.causes[0]?.code).toBe('proxy.refused');
  expect(links[0]?.causes[0]?.remedy).toMatch(remedy);
});

test('a port that greets and closes is shown with its greeting', async () => {
  const world = await createWorld();
  const port = await listen(createServer((near) => near.end('SSH-2.0-OpenSSH_9.6\r\n')));
  const finding = findingOf(await check(world, { proxy: `http://127.0.0.1:${port}` }), 'tcp');
  expect(finding.evidence.error).toMatch(
    /got: "SSH-2\.0-OpenSSH_9\.6" and the end of the connection$/,
  );
});

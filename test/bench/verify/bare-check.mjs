import { createPrivateKey, randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { connect, createSecureContext } from 'node:tls';
import { SignJWT } from 'jose';
import { Client } from 'undici';

/**
 * The calls of a check and nothing else, with the same two libraries: resolve, connect, sign, get a
 * token, list workspaces; once, or as often as is said, 16 at a time. It judges nothing and reports
 * nothing.
 */
const { API_HOST, PORT, ENTERPRISE_ID, APP_ID, KEY_ID, KEY_FILE, CA_FILE, DNS_SERVER } =
  process.env;
const key = createPrivateKey(readFileSync(KEY_FILE));
const secureContext = createSecureContext({ ca: readFileSync(CA_FILE) });
const resolver = new Resolver();
resolver.setServers([DNS_SERVER]);
let left = Number(process.argv[2] ?? 1);

await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (left > 0) {
      left -= 1;
      await check();
    }
  }),
);

async function check() {
  const [[host]] = await Promise.all([
    resolver.resolve4(API_HOST),
    resolver.resolve6(API_HOST).catch(() => []),
  ]);
  const client = new Client(`https://${API_HOST}:${PORT}`, {
    connect: (_, callback) => {
      const socket = connect({ host, port: PORT, servername: API_HOST, secureContext });
      socket.once('secureConnect', () => callback(null, socket)).once('error', callback);
    },
  });
  const { access_token } = await call(
    client,
    'POST',
    `/api/permission/oauth2/enterprise_id/${ENTERPRISE_ID}/token`,
    await jwt(),
    JSON.stringify({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }),
  );
  const list = '/v1/workspaces?page_num=1&page_size=20';
  const { code } = await call(client, 'GET', list, access_token);
  if (code !== 0) throw new Error(`the service answered with code ${code}`);
  await client.destroy();
}

async function jwt() {
  const now = Math.floor(Date.now() / 1000);
  const jti = randomBytes(48).toString('hex');
  return await new SignJWT({ iss: APP_ID, aud: API_HOST, iat: now, exp: now + 300, jti })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })
    .sign(key);
}

async function call(client, method, path, credential, body) {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const answer = await client.request({ method, path, headers, body });
  return await answer.body.json();
}

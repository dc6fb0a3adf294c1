import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';

/**
 * The least that checks can take in one process of Node.js: resolve, sign, connect, get a token, list
 * workspaces, once or as often as is said, 16 at a time. It judges nothing and tells nothing.
 */
const { API_HOST, PORT, ENTERPRISE_ID, APP_ID, KEY_ID, KEY_FILE, CA_FILE, DNS_SERVER } =
  process.env;
const key = createPrivateKey(readFileSync(KEY_FILE));
const secureContext = createSecureContext({ ca: readFileSync(CA_FILE) });
const resolver = new Resolver();
resolver.setServers([DNS_SERVER]);
const signAside = promisify(sign);
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
  const agent = new Agent({ keepAlive: true, maxSockets: 1, secureContext });
  const { access_token } = await call(
    { host, agent, method: 'POST' },
    `/api/permission/oauth2/enterprise_id/${ENTERPRISE_ID}/token`,
    await jwt(),
    JSON.stringify({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }),
  );
  const list = '/v1/workspaces?page_num=1&page_size=20';
  const { code } = await call({ host, agent, method: 'GET' }, list, access_token);
  if (code !== 0) throw new Error(`the service answered with code ${code}`);
  agent.destroy();
}

async function jwt() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const jti = randomBytes(48).toString('hex');
  const claims = { iss: APP_ID, aud: API_HOST, iat: now, exp: now + 300, jti };
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${part(claims)}`;
  const signature = await signAside('sha256', Buffer.from(signed), key);
  return `${signed}.${signature.toString('base64url')}`;
}

function call(way, path, credential, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      host: API_HOST,
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
    };
    request({ ...way, port: PORT, servername: API_HOST, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(JSON.parse(text)));
    })
      .on('error', reject)
      .end(body);
  });
}

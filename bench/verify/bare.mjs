import { randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';

/** The least that a Node.js program can do: sign, get a token, list workspaces. It checks nothing and tells nothing. */
const { API_HOST, PORT, ENTERPRISE_ID, APP_ID, KEY_ID, KEY_FILE, CA_FILE } = process.env;
const agent = new Agent({ keepAlive: true, ca: readFileSync(CA_FILE) });

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1000);
const jti = randomBytes(48).toString('hex');
const claims = { iss: APP_ID, aud: API_HOST, iat: now, exp: now + 300, jti };
const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${part(claims)}`;
const signature = sign('sha256', signed, readFileSync(KEY_FILE)).toString('base64url');

const { access_token } = await call(
  'POST',
  `/api/permission/oauth2/enterprise_id/${ENTERPRISE_ID}/token`,
  `${signed}.${signature}`,
  JSON.stringify({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }),
);
const { code } = await call('GET', '/v1/workspaces?page_num=1&page_size=20', access_token);
if (code !== 0) throw new Error(`the service answered with code ${code}`);
agent.destroy();

function call(method, path, credential, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      host: API_HOST,
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
    };
    const options = {
      host: '127.0.0.1',
      port: PORT,
      servername: API_HOST,
      method,
      path,
      headers,
      agent,
    };
    request(options, (answer) => {
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

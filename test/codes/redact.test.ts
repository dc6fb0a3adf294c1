import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { CODES } from '../../src/codes/codes.js';
import { ConnectivityError } from '../../src/codes/connectivity-error.js';
import { refuseSecrets } from '../../src/codes/misplaced-secrets.js';
import { findSecret, redact, redactAll, safeText, shownLines } from '../../src/codes/redact.js';
import { CANARIES, expectNoCanary, PASSWORD } from '../support/canaries.js';

test.each(Object.entries(CANARIES))('%s is taken out wherever it is', (_, secret) => {
  for (const text of [
    secret,
    ` ${secret} `,
    `\`--key-id\` must be short, got: "${secret}" (ENAMETOOLONG)`,
    `path=${secret}`,
    `{"a":"${secret}","b":1}`,
    JSON.stringify({ secret }),
  ]) {
    expectNoCanary(redact(text));
    expect(findSecret(text)).toBeDefined();
  }
  expect(redact(`before ${secret}`)).toMatch(/^before \[redacted\]/);
});

test.each([
  ['Bearer error="invalid_token"', 'Bearer error="invalid_token"'],
  ['Bearer realm="api", scope="x"', 'Bearer realm="api", scope="x"'],
  ['Bearer abc="', 'Bearer [redacted]"'],
  ['Bearer error=abc', 'Bearer [redacted]'],
])('of %s a challenge is shown, and no credential', (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test.each([
  ['login with password=hunter2 refused', 'login with password=[redacted] refused'],
  ['password=swordfish', 'password=[redacted]'],
  ['Password: swordfish', 'Password: [redacted]'],
  ['token: abc123 is too old', 'token: [redacted] is too old'],
  ['GET /x?token=s3cret&page=1', 'GET /x?token=[redacted]&page=1'],
  ['{"access_token":"opaque","expires_in":1}', '{"access_token":"[redacted]","expires_in":1}'],
  [String.raw`{\"password\": \"correct horse\"}`, String.raw`{\"password\": \"[redacted]\"}`],
  ["client_secret='x y z'", "client_secret='[redacted]'"],
  ['AccessKeySecret: Zm9vYmFyYmF6', 'AccessKeySecret: [redacted]'],
  ['AccessKeySecret=WmpGaE9EVTBN', 'AccessKeySecret=[redacted]'],
  ['VOLCENGINE_SECRET_KEY=abcdefgh', 'VOLCENGINE_SECRET_KEY=[redacted]'],
  ['Authorization: Basic dXNlcjpwYXNz was refused', 'Authorization: Basic [redacted] was refused'],
  ['Proxy-Authorization: Negotiate YIIabc', 'Proxy-Authorization: Negotiate [redacted]'],
  ['authorization: opaque-one', 'authorization: [redacted]'],
  ['Set-Cookie: session=abc; Path=/', 'Set-Cookie: [redacted]; Path=/'],
  ['ssh --password hunter2 host', 'ssh --password [redacted] host'],
  ['password = "xy"', 'password = "[redacted]"'],
  ['口令 token：s3cret', '口令 token：[redacted]'],
])('of %s what the label names is taken out', (text, shown) => {
  expect(safeText(text)).toBe(shown);
  expect(shownLines(text)).toBe(shown);
});

test.each([
  'disconnect/reset',
  'token: expired',
  'Token: Expired.',
  'token=expired',
  'password is wrong',
  'password: must not be empty',
  "password: can't be empty",
  'secret: not found',
  'secret: default/db-credentials not found',
  'Authorization: required',
  'Authorization: header is missing',
  'Bearer token is missing',
  'invalid token: signature is invalid',
  'invalid token: kid',
  '{"error":"invalid_token","token":"expired"}',
  'Unexpected token: eof',
  'unexpected token: } in JSON at position 3',
  'token: HTTP 401',
  'token=401',
  'max_tokens=500000 token_type=bearer',
  'password = var.db_password',
  'token=$TOKEN token=<token> token=*** password=',
  "alice@host's password: ",
  'password authentication failed for user "a"',
  'token: 已过期',
  'the secret is no longer valid: rotate it',
  'token_url: https://host.example/path',
  'token: https://host.example/path',
])('%s stays readable', (text) => {
  expect(shownLines(text)).toBe(text);
});

test.each([
  [`https://alice:${PASSWORD}@host.example/path`, 'https://…@host.example/path'],
  [`"https://alice:${PASSWORD}@host" (code)`, '"https://…@host" (code)'],
  [`socks5://alice:p@${PASSWORD}@host`, 'socks5://…@host'],
  [`alice:${PASSWORD}@host:3128`, '…@host:3128'],
  [`https://${PASSWORD}@host`, 'https://…@host'],
  [`got: "https://alice:a "<${PASSWORD}@host"`, 'got: "https://…@host"'],
  [`got: "https://:${PASSWORD} b@host:443"`, 'got: "https://…@host:443"'],
])('%s keeps its host', (text, shown) => {
  expect(redact(text)).toBe(shown);
});

test.each([
  'https://api.service.example:8443/v1/workspaces?page_num=1',
  '/srv/deployments/secure-connectivity/environments/production/build/credentials/private_key.pem',
  'AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99',
  'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'.repeat(4),
  // Fingerprints of public keys, whose last 40 characters are as long as a secret key.
  'U1-jDX4l3YpJ8VNneXNOyChhCNEV2lBF1387QYXY95A',
  'keyId=av_a47PBqmqnaJ6bansyJaY2qhrAAl9JDMoShc6vFIc',
  'greyJackets.example.com',
  'ep-3rc5uf2vtvsw05zsk2imrbcrd.epsvc-1.cn-beijing.privatelink.volces.com',
  '@rules/connect-to:one',
  'https://api.service.example:8443 is run by network@service.example',
  '<a href="https://portal.example:8443">ask it@service.example</a>',
  'x'.repeat(9_000),
])('%s is no secret', (text) => {
  expect([redact(text), findSecret(text)]).toEqual([text, undefined]);
});

test.each([
  ['A', undefined],
  ['a.b-', undefined],
  ['czs_a', '[redacted]'],
])('a text of megabytes in one word is searched: %s', (part, shown) => {
  const text = part.repeat(6_000_000);
  expect(redact(text) === (shown ?? text)).toBe(true);
});

test.each(['', 'x-', 'abc-', 'a key_'])('a secret key after "%s" is taken out', (before) => {
  const secret = 'jDX4l3YpJ8VNneXNOyChhCNEV2lBF1387QYXY95A';
  expect(redact(before + secret)).toBe(`${before}[redacted]`);
});

test('no text of the table of codes is taken for a secret', () => {
  for (const facts of Object.values(CODES)) expect(redactAll(facts)).toEqual(facts);
});

test.each(Object.entries(CANARIES))('an error shows no %s, nor does its cause', (_, secret) => {
  const cause = new Error(`ENAMETOOLONG: name too long, open '${secret}'`);
  const error = new ConnectivityError('usage.invalid', `\`file\`, got: ${secret}`, { cause });
  expectNoCanary(inspect(error, { depth: 9 }));
  expectNoCanary(error.message);
});

test('every field with a secret is named, and none is shown', () => {
  const data = {
    keyId: CANARIES.JWT,
    privateKeyFile: CANARIES.PEM,
    list: ['sound', { deep: CANARIES.token }],
    sound: 'value',
  };
  const refused = () => refuseSecrets(data, (path) => `--${path}`);
  expect(refused).toThrow(
    '`--keyId` must not hold a secret, got: a JWT, which is not shown; `--privateKeyFile` must be the path of a file, got: a private key, which is not shown; the text of a key goes to `privateKey` or SECURE_CONNECTIVITY_PRIVATE_KEY; `--list.1.deep` must not hold a secret, got: an access token, which is not shown',
  );
});

test('what a terminal obeys is in no data that is written, be it a value or a name', () => {
  const data = { 'a\u001b[2J': ['x\u001b]0;t\u0007', 1], b: { c: 'one\r\ntwo\u202e' }, d: 'plain' };
  expect(redactAll(data)).toEqual({ 'a [2J': ['x ]0;t ', 1], b: { c: 'one two ' }, d: 'plain' });
});

test('a text is redacted each time that it comes, among however many others', () => {
  const texts = Array.from({ length: 2_500 }, (_, i) => `text ${i}`);
  for (const secret of [CANARIES.token, CANARIES.JWT, 'x\u001b]0;t\u0007']) {
    const [first, ...others] = redactAll([secret, secret, ...texts, secret]);
    expect(first).not.toBe(secret);
    expect([others[0], others.at(-1)]).toEqual([first, first]);
    expect(others.slice(1, -1)).toEqual(texts);
  }
});

import { expect, test } from 'vitest';
import { reasonOfCause } from '../../../src/codes/stated.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { expectDiagnosis } from '../../support/explained.js';
import {
  type Handler,
  LOG_ID,
  type Reply,
  TOKEN,
  tokenError,
} from '../../support/service-server.js';
import { check, createWorld, findingOf, outline } from '../../support/verifiable-link.js';

const MINUTES = 60_000;
const REFUSAL = tokenError('invalid_client', '');
const BEYOND_THE_CLOCK = ['token.key-pair', 'token.key-pair: another app'];

/** A service with a clock of its own, which takes no JWT from the future and none that has expired. */
function shifted(offsetMs: number, answer: Reply | 'reset' = accepted()): Handler {
  return ({ path, headers }) => {
    const now = Date.now() + offsetMs;
    const date = new Date(now).toUTCString();
    if (!headers.authorization) {
      const body = { code: 4100, msg: 'authentication is invalid' };
      return { status: 401, headers: { date }, body };
    }
    if (!path.endsWith('/token')) return undefined;
    const { iat, exp } = claimsOf(headers.authorization);
    const isInTime = iat <= Math.floor(now / 1000) && now < exp * 1000;
    const reply = isInTime ? answer : REFUSAL;
    return reply === 'reset' ? reply : { ...reply, headers: { ...reply.headers, date } };
  };
}

function accepted(): Reply {
  return { body: { access_token: TOKEN, expires_in: Math.floor(Date.now() / 1000) + 900 } };
}

function claimsOf(authorization = ''): { iat: number; exp: number } {
  return JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
}

test.each([
  [-9_000, /a JWT signed (9|10)\.\d s earlier: accepted/],
  [-10 * MINUTES, /a JWT signed 60[01]\.\d s earlier: accepted/],
  [10 * MINUTES, /a JWT signed (599|600)\.\d s later: accepted/],
])('the server is %d ms ahead, and takes a JWT signed by its clock', async (offsetMs, output) => {
  const world = await createWorld();
  world.service.handler = shifted(offsetMs);
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'host.clock: JWT out of time',
    shown: ['host.clock'],
    never: ['token.invalid-client', 'host.clock: 60 s', ...BEYOND_THE_CLOCK],
    ruledOut: [/network/],
    notRuledOut: [/clock/],
  });
  expect(textReport(verification, { isVerbose: true })).toMatch(output);
});

test('a JWT that is in its time and refused for its age is taken when signed by the server’s clock', async () => {
  const world = await createWorld();
  const aheadMs = 30_000;
  const answer = shifted(aheadMs);
  world.service.handler = (request) => {
    const reply = answer(request);
    const { authorization } = request.headers;
    const { iat = Number.NaN } =
      request.path.endsWith('/token') && authorization ? claimsOf(authorization) : {};
    const isOld = iat * 1000 < Date.now() + aheadMs - 10_000;
    const date = new Date(Date.now() + aheadMs).toUTCString();
    return isOld ? { ...REFUSAL, headers: { ...REFUSAL.headers, date } } : reply;
  };
  expectDiagnosis(await check(world), {
    fails: 'token.invalid-client',
    shown: ['host.clock'],
    never: ['host.clock: JWT out of time', ...BEYOND_THE_CLOCK],
    ruledOut: [/network/],
    notRuledOut: [/clock/],
  });
});

test.each([
  -9_000,
  -10 * MINUTES,
])('the server is %d ms ahead, and refuses a JWT signed by its clock too', async (offsetMs) => {
  const world = await createWorld();
  world.service.handler = shifted(offsetMs, REFUSAL);
  expectDiagnosis(await check(world), {
    fails: 'host.clock: JWT out of time',
    consistent: BEYOND_THE_CLOCK,
    never: ['host.clock', 'token.region: audience'],
    ruledOut: [/^this machine’s clock alone$/m],
  });
});

test.each([
  ['invalid jwt: aud is not the api host', 'token.region: audience'],
  ['invalid jwt: kid not been registred', 'token.key-pair'],
])('what the service says of the JWT in its time counts: %s', async (message, reason) => {
  const world = await createWorld();
  world.service.handler = shifted(-9_000, tokenError('invalid_client', message));
  const { links } = await check(world);
  const [first] = links[0]?.causes.filter(({ certainty }) => certainty !== undefined) ?? [];
  expect(first && reasonOfCause(first)).toBe(reason);
  expect(first?.evidence).toContain(`serviceMessage=${message}, logId=${LOG_ID}`);
  expect(links[0]?.causes.map(reasonOfCause)).not.toContain('host.clock');
});

test('a clock that is up to 5 s ahead signs no JWT of the future', async () => {
  const world = await createWorld();
  world.service.handler = shifted(-4_000);
  expect((await check(world)).verdict).toBe('reachable');
});

test.each<[what: string, replies: readonly Reply[], fails: string]>([
  [
    'says that it is of the future',
    [tokenError('invalid_grant', 'JWT used before issued')],
    'host.clock: JWT out of time',
  ],
  ['takes the next', [REFUSAL, accepted()], 'token.invalid-client'],
  [
    'takes the next, by another code',
    [tokenError('4100', 'no'), accepted()],
    'api.unknown-error: token call',
  ],
])('where clocks agree and the service %s, the clock is possible', async (_, replies, fails) => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = ({ path }) => {
    if (!path.endsWith('/token')) return undefined;
    calls += 1;
    return replies[calls - 1] ?? replies.at(-1);
  };
  expectDiagnosis(await check(world), {
    fails,
    consistent: ['host.clock'],
    never: BEYOND_THE_CLOCK,
    notRuledOut: [/clock/],
  });
});

test.each<[what: string, reply: Reply | 'reset', code: string]>([
  ['is lost', 'reset', 'no answer'],
  [
    'is taken, but the application is deactivated',
    tokenError('access_deny', 'app: x is currently deactivated', 403),
    'token.application: deactivated',
  ],
])('the JWT signed by the server’s clock %s, which decides nothing', async (_, reply, code) => {
  const world = await createWorld();
  world.service.handler = shifted(-9_000, reply);
  const verification = await check(world);
  expectDiagnosis(verification, {
    fails: 'host.clock: JWT out of time',
    consistent: ['host.clock'],
    never: BEYOND_THE_CLOCK,
    notRuledOut: [/clock/],
  });
  const cause = verification.links[0]?.causes.find((one) => one.code === 'host.clock');
  expect(cause?.evidence).toContain(`signed by the server’s clock=${code}`);
});

test('without probes the clock is no more than possible, and is not ruled out', async () => {
  const world = await createWorld();
  world.service.handler = shifted(-9_000);
  expectDiagnosis(await check(world, { probes: false }), {
    fails: 'host.clock: JWT out of time',
    consistent: ['host.clock'],
    never: BEYOND_THE_CLOCK,
    notRuledOut: [/clock/],
  });
});

test('a token that is given in spite of clocks 2 minutes apart is a failure of the clocks alone', async () => {
  const world = await createWorld();
  world.service.handler = shifted(2 * MINUTES);
  const verification = await check(world);
  expect(outline(verification).slice(5)).toEqual([
    'http passed',
    'token passed',
    'token failed host.clock',
    'workspaces passed',
  ]);
  expectDiagnosis(verification, {
    fails: 'host.clock: 60 s',
    never: [
      'host.clock: JWT out of time',
      'token.invalid-client',
      'host.clock',
      ...BEYOND_THE_CLOCK,
    ],
    ruledOut: [/network/],
    notRuledOut: [/clock/],
  });
  expect(verification.verdict).toBe('incomplete');
});

test('clocks less than 60 s apart are a warning', async () => {
  const world = await createWorld();
  world.service.handler = shifted(50_000);
  const verification = await check(world);
  expect(outline(verification).slice(5)).toEqual([
    'http warned host.clock',
    'token passed',
    'workspaces passed',
  ]);
  expect(verification.verdict).toBe('reachable');
});

test('where no JWT is signed, the clocks are no more than warned of', async () => {
  const world = await createWorld();
  world.service.handler = shifted(10 * MINUTES);
  const verification = await check(world, { auth: false });
  expect(outline(verification)[5]).toBe('http warned host.clock');
  expect(verification.verdict).toBe('reachable');
});

test.each([
  ['this machine’s clock is slow', 600, 1500],
  ['the date of the answer is slow', -600, 900],
  ['this machine’s clock is fast, so that the token is over by it', -1800, -900],
])('a token lasts as long as the clock says that leaves less, where %s', async (_, ahead, own) => {
  const world = await createWorld();
  const expiresAt = Math.floor(Date.now() / 1000) + own;
  const body = { access_token: TOKEN, expires_in: expiresAt };
  // It issues a token whatever the times of the JWT are.
  world.service.handler = ({ path }) => {
    const date = new Date(Date.now() + ahead * 1000).toUTCString();
    return path.endsWith('/token') ? { body, headers: { date } } : undefined;
  };
  const verification = await check(world);
  const { validForSeconds } = findingOf(verification, 'token').evidence;
  expect(Math.round(Number(validForSeconds) / 10) * 10).toBe(900);
});

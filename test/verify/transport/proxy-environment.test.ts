import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { EnvHttpProxyAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { bracketed } from '../../../src/verify/transport/addresses.js';
import { readProxy } from '../../../src/verify/transport/proxy/proxy.js';
import {
  type CalledHost,
  clientWays,
  type Environment,
  PROXY_CLIENTS,
} from '../../../src/verify/transport/proxy/proxy-environment.js';
import { startProxy } from '../../support/fake-fronts.js';
import { startRefusing } from '../../support/verifiable-link.js';

const CURL = 'curl';
const UNDICI = 'undici’s EnvHttpProxyAgent';
const [, GO, REQUESTS, HTTPX, AXIOS] = PROXY_CLIENTS.map(({ name }) => name);
const ALL = [CURL, GO, REQUESTS, HTTPX, AXIOS, UNDICI];
const P = 'http://127.0.0.1:1';

interface Case {
  readonly why: string;
  readonly environment: Environment;
  readonly called: CalledHost;
  /** The clients that go through the proxy; everyone else goes directly. */
  readonly through: readonly (string | undefined)[];
}

const named = (change: Partial<CalledHost> = {}): CalledHost => {
  return { scheme: 'https', host: 'ep-1.corp.test', port: 443, ...change };
};
const HTTP = named({ scheme: 'http', port: 80 });
const HIGH = named({ port: 8443 });
const IPV4 = named({ host: '10.9.9.9' });
const IPV6 = named({ host: 'fd00::1' });

function variable(environment: Environment, called: CalledHost, through: Case['through']): Case {
  const why = `${called.scheme} with ${JSON.stringify(environment).replaceAll(P, 'PROXY')}`;
  return { why, environment, called, through };
}

function entry(noProxy: string, called: CalledHost, through: Case['through']): Case {
  const host = `${bracketed(called.host)}:${called.port}`;
  const environment = { https_proxy: P, HTTPS_PROXY: P, no_proxy: noProxy, NO_PROXY: noProxy };
  return { why: `${host} with NO_PROXY=${noProxy}`, environment, called, through };
}

/** Seen with the real clients, all of them in one network namespace. */
const CASES: readonly Case[] = [
  variable({ HTTPS_PROXY: P }, named(), ALL),
  variable({ https_proxy: P }, named(), ALL),
  variable({ ALL_PROXY: P }, named(), [CURL, REQUESTS, HTTPX, AXIOS]),
  variable({ HTTP_PROXY: P }, named(), [UNDICI]),
  variable({ HTTPS_PROXY: P, https_proxy: '' }, named(), [CURL, GO, AXIOS]),
  variable({ HTTP_PROXY: P }, HTTP, [GO, REQUESTS, HTTPX, AXIOS, UNDICI]),
  variable({ http_proxy: P }, HTTP, ALL),
  variable({ all_proxy: P }, HTTP, [CURL, REQUESTS, HTTPX, AXIOS]),
  variable({ HTTPS_PROXY: P, NO_PROXY: 'ep-1.corp.test' }, named(), []),
  variable({ HTTPS_PROXY: P, no_proxy: 'ep-1.corp.test' }, named(), []),
  variable({ HTTPS_PROXY: P, NO_PROXY: 'corp.test', no_proxy: 'x.test' }, named(), [
    ...[CURL, REQUESTS, HTTPX, AXIOS, UNDICI],
  ]),
  variable({ HTTPS_PROXY: P, NO_PROXY: 'x.test', no_proxy: 'ep-1.corp.test' }, named(), [GO]),
  variable({ HTTPS_PROXY: P, NO_PROXY: 'ep-1.corp.test', no_proxy: '' }, named(), [HTTPX, UNDICI]),
  entry('EP-1.corp.test', named(), []),
  entry('corp.test', named(), [AXIOS]),
  entry('.corp.test', named(), []),
  entry('.ep-1.corp.test', named(), [GO, HTTPX, AXIOS]),
  entry('*.corp.test', named(), [CURL, REQUESTS, HTTPX]),
  entry('*.ep-1.corp.test', named(), [CURL, GO, REQUESTS, HTTPX, AXIOS]),
  entry('rp.test', named(), ALL),
  entry('*', named(), []),
  entry('a.test,*', named(), [CURL, REQUESTS, UNDICI]),
  entry('ep-1.corp.test:443', named(), [CURL, REQUESTS, HTTPX]),
  entry('corp.test:443', named(), [CURL, REQUESTS, HTTPX, AXIOS]),
  entry('.corp.test:443', named(), [CURL, REQUESTS, HTTPX]),
  entry('ep-1.corp.test:8443', named(), ALL),
  entry('ep-1.corp.test:8443', HIGH, [CURL]),
  entry('corp.test:8443', HIGH, [CURL, AXIOS]),
  entry('ep-1.corp.test', HIGH, []),
  entry('a.test corp.test', named(), [GO, REQUESTS, HTTPX, AXIOS]),
  entry('a.test, corp.test', named(), [AXIOS]),
  entry('http://corp.test', named(), ALL),
  entry('10.0.0.0/8', named(), ALL),
  entry('10.9.9.9', named(), ALL),
  entry('10.0.0.0/8', IPV4, [HTTPX, UNDICI]),
  entry('10.9.9.9', IPV4, []),
  entry('10.9.9.9:443', IPV4, [CURL, REQUESTS, HTTPX]),
  entry('10.*', IPV4, ALL),
  entry('fd00::1', IPV6, [UNDICI]),
  entry('[fd00::1]', IPV6, [CURL, GO, REQUESTS]),
];

test.each(CASES)('$why', ({ environment, called, through }) => {
  const found = clientWays(environment, called).filter(({ proxy, exemptBy }) => {
    return proxy !== undefined && exemptBy === undefined;
  });
  expect(found.map(({ client }) => client.name)).toEqual(through);
});

describe('the table says what the client really does', () => {
  test.each(CASES)('undici: $why', async ({ environment, called, through }) => {
    const hits = await hitsOf(environment, async (env) => {
      const scope = ['HTTP', 'HTTPS', 'ALL', 'NO'].flatMap((name) => [
        `${name}_PROXY`,
        `${name.toLowerCase()}_proxy`,
      ]);
      const before = scope.map((name) => [name, process.env[name]] as const);
      set(scope.map((name) => [name, env[name]]));
      const agent = new EnvHttpProxyAgent({ connect: nowhere });
      try {
        await agent.request({ origin: originOf(called), path: '/', method: 'GET' });
      } catch {
        // Neither way leads anywhere; only which one was taken matters.
      } finally {
        set(before);
        await agent.destroy();
      }
    });
    expect(hits > 0).toBe(through.includes(UNDICI));
  });

  test.skipIf(!hasCurl()).each(CASES)('curl: $why', async ({ environment, called, through }) => {
    const refusing = await startRefusing();
    const hits = await hitsOf(environment, async (env) => {
      const args = ['-s', '-m', '5', '--connect-to', `::127.0.0.1:${refusing}`, originOf(called)];
      const options = { env: { PATH: process.env.PATH, ...env } };
      await promisify(execFile)('curl', args, options).catch(() => undefined);
    });
    expect(hits > 0).toBe(through.includes(CURL));
  });
});

/** Counts the requests to the proxy while some work runs, whose environment names it. */
async function hitsOf(
  environment: Environment,
  work: (environment: Environment) => Promise<void>,
): Promise<number> {
  const proxy = await startProxy({ status: 502 });
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.replace(P, proxy.url)]),
  );
  await work(env);
  return proxy.asked.length + proxy.inClear;
}

function set(variables: readonly (readonly [name: string, value: string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function originOf({ scheme, host, port }: CalledHost): string {
  return `${scheme}://${bracketed(host)}:${port}`;
}

/** In place of the direct way, so that no packet leaves this machine. */
function nowhere(_: unknown, done: (error: Error, socket: null) => void): void {
  done(new Error('nothing is dialled here'), null);
}

/** As of 7.86 it compares networks with addresses. */
function hasCurl(): boolean {
  try {
    const [, major, minor] = /^curl (\d+)\.(\d+)/.exec(`${execFileSync('curl', ['-V'])}`) ?? [];
    return Number(major) > 7 || Number(minor) >= 86;
  } catch {
    return false;
  }
}

test.each([
  ['http://user:100%@proxy.example:3128', 'user:100%'],
  ['http://user:a%20b%zz%E4@proxy.example:3128', 'user:a b%zz%E4'],
  ['http://us%C3%A9r:p@proxy.example:3128', 'usér:p'],
])('the credentials of %s are read', (text, credentials) => {
  expect(readProxy(text)?.credentials?.reveal()).toBe(credentials);
});

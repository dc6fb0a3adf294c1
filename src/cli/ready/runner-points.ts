import { getServers } from 'node:dns';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import type { Settings } from '../../settings/schema.js';
import { checkTerraform, terraformName } from '../../terraform/program.js';
import type { RunOptions } from '../../verify/model/options.js';
import { proveKey, proveLocation } from '../../verify/run/prove-ready.js';
import { readProxy } from '../../verify/transport/proxy/proxy.js';
import { resolveName } from '../../verify/transport/resolve-name.js';
import { failed, type Point, prove, unknown } from './readiness.js';

const TIMEOUT_MS = 5_000;

/** Checks what the check of a deploy needs on this machine. Only the DNS server is queried. */
export async function checkPoints(settings: Settings, options: RunOptions): Promise<Point[]> {
  const { check } = settings;
  if (check.mode === 'off') {
    return [
      unknown('check', 'the check of a deploy is off, so key, location and names are not checked'),
    ];
  }
  const points = [
    ...(await keyPoints(settings, options)),
    await locationPoint(settings, options),
    await resolverPoint(settings.apiHost, options),
  ];
  // With `report`, a failed check does not stop a deploy.
  return check.mode === 'required'
    ? points
    : points.map((one) => (one.status === 'failed' ? { ...one, status: 'warned' } : one));
}

async function keyPoints(settings: Settings, options: RunOptions): Promise<Point[]> {
  const { apiHost, keyPairs } = settings;
  const { privateKey: _, ...given } = options.credentials ?? {};
  const names = { ...options.names, keyId: 'kid' };
  const pairs: RunOptions[] = keyPairs?.map(({ kid, keyFile }) => {
    const credentials = { ...given, keyId: kid, privateKeyFile: keyFile };
    return { ...options, credentials, names };
  }) ?? [options];
  const points = await Promise.all(pairs.map((pair) => keyPoint(apiHost, pair)));
  return points.flat();
}

async function keyPoint(apiHost: string, pair: RunOptions): Promise<Point[]> {
  const warned: Point[] = [];
  const point = await prove('key', async () => {
    const warnings = await proveKey(apiHost, pair);
    warned.push(...warnings.map((one) => ({ ...failed('key', one), status: 'warned' as const })));
    return `${pair.credentials?.keyId ?? ''} signs a JWT for ${apiHost}; only the first call shows whether the service knows the key`;
  });
  return warned.length > 0 ? warned : [point];
}

/** Warns that given groups may let in more than the networks say. */
function locationPoint({ network, serviceEndpoint }: Settings, options: RunOptions) {
  return prove('location', async () => {
    if (serviceEndpoint === undefined)
      return unknown('location', 'no endpoint, so any location will do');
    if (serviceEndpoint.securityGroupIds !== undefined) {
      return unknown('location', 'existing groups may allow this machine: `securityGroupIds`');
    }
    const own = network === undefined ? [] : 'cidrs' in network ? network.cidrs : [network.cidr];
    const allowed = serviceEndpoint.allowedNetworks?.map((one) =>
      typeof one === 'string' ? one : one.cidr,
    );
    const location = await proveLocation(allowed ?? own, options);
    return location.isKnown ? location.text : unknown('location', location.text);
  });
}

/** An answer that says no proves the server as well: the endpoint's name comes with the endpoint. */
function resolverPoint(apiHost: string, { dnsServer, family }: RunOptions): Promise<Point> {
  const server = dnsServer ?? getServers().join(', ');
  const later = 'only the check after the deploy can tell whether it knows the endpoint';
  return prove('resolver', async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const options = { server: dnsServer, family, timeoutMs: TIMEOUT_MS, signal };
      const { addresses } = await resolveName(apiHost, options);
      return `${server} answers: ${apiHost} is ${addresses.join(', ')}; ${later}`;
    } catch (error) {
      const code = transportCode(error, 'dns');
      if (code === 'dns.not-found')
        return `${server} answers that ${apiHost} does not exist; ${later}`;
      const why = `${server} gives no answer for ${apiHost} (${errorName(error)})`;
      throw new ConnectivityError(code, why);
    }
  });
}

const PROXY_VARIABLES = /^((https?|all)_proxy|VOLCENGINE_PROXY_URL)$/i;

/** Reports which calls go through a proxy, without its credentials. */
export function proxyPoint(env: NodeJS.ProcessEnv, { proxy }: RunOptions): Promise<Point> {
  return prove('proxy', async () => {
    const named = Object.entries(env).filter(
      ([name, value]) => PROXY_VARIABLES.test(name) && value,
    );
    const shown = named.map(([name, value = '']) => {
      const target = readProxy(value);
      if (target === undefined) {
        throw usageError(`\`${name}\` must be the URL of an HTTP proxy`);
      }
      return `${name} ${target.shown}`;
    });
    const check =
      proxy === undefined
        ? 'the check dials directly'
        : `the check goes through ${readProxy(proxy)?.shown ?? 'a proxy'}`;
    if (shown.length === 0) return `none in the environment; ${check}`;
    return `the provider goes through ${shown.join(', ')}; ${check}`;
  });
}

export function terraformPoint(env: NodeJS.ProcessEnv): Promise<Point> {
  return prove('terraform', async () => {
    checkTerraform(env);
    return `${terraformName(env)} is on the PATH`;
  });
}

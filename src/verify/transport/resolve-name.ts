import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { compareAddresses, parseAddress } from '../../net/address.js';
import { awakeClock } from '../../service/http/awake-clock.js';
import type { StopSignal } from '../../service/http/limits.js';
import { transportCode } from '../../service/http/transport-code.js';
import { checkFilesLeft, withFiles } from '../../service/open-files.js';
import { invalidOption } from '../model/options.js';
import { parsePort } from './addresses.js';
import { step } from './path.js';

/** Addresses by `host:port`, host in lower case. */
export type GivenAddresses = ReadonlyMap<string, readonly string[]>;

/**
 * Reads rules `HOST:PORT:ADDRESS[,ADDRESS]`; an IPv6 address may be in brackets.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function parseGivenAddresses(rules: readonly string[], field = 'resolve'): GivenAddresses {
  const given = new Map<string, readonly string[]>();
  for (const rule of rules) {
    const [, host = '', port = '', list = ''] = /^([^:[\]]+):(\d+):(.+)$/.exec(rule) ?? [];
    const addresses = list.split(',').map((text) => text.trim().replace(/^\[(.*)\]$/, '$1'));
    if (parsePort(port) === undefined || addresses.some((text) => isIP(text) === 0)) {
      const must = `be HOST:PORT:ADDRESS, more addresses with commas, got: "${rule}"`;
      throw invalidOption(field, must);
    }
    const key = givenKey(host, Number(port));
    given.set(key, [...(given.get(key) ?? []), ...addresses]);
  }
  return given;
}

export function givenFor(given: GivenAddresses, host: string, port: number): readonly string[] {
  return given.get(givenKey(host, port)) ?? [];
}

function givenKey(host: string, port: number): string {
  return `${host.toLowerCase()}:${port}`;
}

export interface Resolution {
  /** IPv4 before IPv6, each in order. */
  readonly addresses: readonly string[];
  /** Milliseconds that each family took; undefined where both came in one answer. */
  readonly ipv4Ms?: number;
  readonly ipv6Ms?: number;
}

interface ResolveOptions {
  /** `IP:PORT` of a DNS server. @default the system's resolver */
  readonly server?: string | undefined;
  /** Only this family is asked for. @default both */
  readonly family?: 4 | 6 | undefined;
  readonly timeoutMs: number;
  readonly signal: StopSignal;
}

/** Resolves a host. @throws the resolver's error, TimedOut, or ConnectivityError `run.too-many-files` */
export async function resolveName(host: string, options: ResolveOptions): Promise<Resolution> {
  const { server, family = 0, timeoutMs, signal } = options;
  return await withFiles(timeoutMs, signal, async (ownSignal) => {
    try {
      if (server !== undefined) return await askServer(host, server, options, ownSignal);
      const entries = await lookup(host, { all: true, verbatim: true, family });
      return { addresses: sorted(entries.map(({ address }) => address)) };
    } catch (error) {
      checkFilesLeft();
      throw error;
    }
  });
}

/**
 * Asks again where a question ended unanswered while this process was starved of time, which the library
 * that asks counts too. After a pause the whole attempt is repeated.
 */
async function askServer(...asked: Parameters<typeof askOnce>): Promise<Resolution> {
  for (;;) {
    const endWatch = awakeClock.watch();
    try {
      return await askOnce(...asked);
    } catch (error) {
      const [, , , signal] = asked;
      const { lostMs, pausedMs } = endWatch();
      const isStarved = lostMs > 0 && pausedMs === 0;
      const isLate = isStarved && transportCode(error, 'dns') === 'dns.timeout';
      if (!isLate || signal.aborted) throw error;
    } finally {
      endWatch();
    }
  }
}

/** IPv4 and IPv6 are asked for at once; one of them is enough. */
async function askOnce(
  host: string,
  server: string,
  { timeoutMs, family }: ResolveOptions,
  signal: StopSignal,
): Promise<Resolution> {
  const tryMs = Math.max(1, Math.floor(timeoutMs / 4));
  return await withResolver(server, tryMs, signal, async (resolver) => {
    const [ipv4, ipv6] = await Promise.all([
      family === 6 ? undefined : step(() => resolver.resolve4(host)),
      family === 4 ? undefined : step(() => resolver.resolve6(host)),
    ]);
    const asked = [ipv4, ipv6].flatMap((one) => one ?? []);
    const addresses = asked.flatMap((one) => (one.ok ? one.value : []));
    if (addresses.length === 0) throw worst(asked.flatMap((one) => (one.ok ? [] : [one.error])));
    return {
      addresses: sorted(addresses),
      ...(ipv4 && { ipv4Ms: Math.round(ipv4.elapsedMs) }),
      ...(ipv6 && { ipv6Ms: Math.round(ipv6.elapsedMs) }),
    };
  });
}

/** An answer that says "no" for one family does not excuse a server that fails for the other. */
function worst(errors: readonly unknown[]): unknown {
  return errors.find((error) => transportCode(error, 'dns') !== 'dns.not-found') ?? errors[0];
}

function sorted(addresses: readonly string[]): string[] {
  const unique = [...new Set(addresses)];
  try {
    return unique.sort((a, b) => compareAddresses(parseAddress(a), parseAddress(b)));
  } catch {
    return unique.sort();
  }
}

const MAX_KEPT = 64;

interface Shared {
  readonly resolver: Resolver;
  users: number;
}

/** By server and timeout. Lookups that overlap share a socket, and making a resolver costs more than a query. */
const kept = new Map<string, Shared>();

/**
 * Lends a resolver to some work, together with whoever asks the same server at that time. When the
 * signal ends it, its queries are cancelled once nobody else has queries under way.
 *
 * @param server `IP:PORT`
 * @param timeoutMs of the first of two tries, so that one lost packet is no failure; the second waits longer
 */
export async function withResolver<T>(
  server: string,
  timeoutMs: number,
  signal: StopSignal,
  work: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const shared = resolverFor(server, timeoutMs);
  let isUser = true;
  const leave = () => {
    if (!isUser) return;
    isUser = false;
    shared.users -= 1;
    if (signal.aborted && shared.users === 0) shared.resolver.cancel();
  };
  shared.users += 1;
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await work(shared.resolver);
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

function resolverFor(server: string, timeoutMs: number): Shared {
  const key = `${server} ${timeoutMs}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= MAX_KEPT) kept.clear();
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  resolver.setServers([server]);
  const shared = { resolver, users: 0 };
  kept.set(key, shared);
  return shared;
}

import { lookup } from 'node:dns/promises';
import { compareAddresses, parseAddress } from '../../../net/address.js';
import type { StopSignal } from '../../../service/http/stop-signal.js';
import { transportCode } from '../../../service/http/transport-code.js';
import { checkFilesLeft, withFiles } from '../../../service/open-files.js';
import { withResolver } from './resolver-pool.js';

export interface Resolution {
  /** IPv4 before IPv6, each in order. */
  readonly addresses: readonly string[];
  /** Milliseconds that each family took; undefined where both came in one answer. */
  readonly ipv4Ms?: number;
  readonly ipv6Ms?: number;
}

export interface ResolveOptions {
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

/** IPv4 and IPv6 are asked for at once; one of them is enough. */
async function askServer(
  host: string,
  server: string,
  { timeoutMs, family }: ResolveOptions,
  signal: StopSignal,
): Promise<Resolution> {
  const tryMs = Math.max(1, Math.floor(timeoutMs / 4));
  return await withResolver(server, tryMs, signal, async (resolver) => {
    const [ipv4, ipv6] = await Promise.all([
      family === 6 ? undefined : ask(() => resolver.resolve4(host)),
      family === 4 ? undefined : ask(() => resolver.resolve6(host)),
    ]);
    const addresses = [...(ipv4?.addresses ?? []), ...(ipv6?.addresses ?? [])];
    if (addresses.length === 0) throw worst([ipv4, ipv6].flatMap((one) => one?.error ?? []));
    return {
      addresses: sorted(addresses),
      ...(ipv4 && { ipv4Ms: ipv4.elapsedMs }),
      ...(ipv6 && { ipv6Ms: ipv6.elapsedMs }),
    };
  });
}

interface Asked {
  readonly addresses: readonly string[];
  readonly error?: unknown;
  readonly elapsedMs: number;
}

async function ask(question: () => Promise<string[]>): Promise<Asked> {
  const start = performance.now();
  try {
    const addresses = await question();
    return { addresses, elapsedMs: Math.round(performance.now() - start) };
  } catch (error) {
    return { addresses: [], error, elapsedMs: Math.round(performance.now() - start) };
  }
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

import { lookup } from 'node:dns/promises';
import { present } from '../../files/json.js';
import { compareAddresses, parseAddress } from '../../net/address.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { checkFilesLeft, withFiles } from '../../service/open-files.js';
import { type AddressFamily, dnsError } from './dns-message.js';
import { queryAddresses } from './dns-query.js';
import { step } from './path.js';

export interface Resolution {
  /** IPv4 before IPv6, each in order. */
  readonly addresses: readonly string[];
  /** The names that the host is an alias of: `a → b`; not known of the system's resolver. */
  readonly alias?: string;
  /** Milliseconds that each family took; undefined where both came in one answer. */
  readonly ipv4Ms?: number;
  readonly ipv6Ms?: number;
  /** The question for the other family, where it is not answered by "none". */
  readonly failed?: { readonly record: 'A' | 'AAAA'; readonly error: unknown };
}

interface ResolveOptions {
  /** `IP:PORT` of a DNS server. @default the system's resolver */
  readonly server?: string | undefined;
  /** Only this family is asked for. @default both */
  readonly family?: 4 | 6 | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
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
  { timeoutMs, family: only }: ResolveOptions,
  signal: AbortSignal,
): Promise<Resolution> {
  const tryMs = Math.max(1, Math.floor(timeoutMs / 4));
  const ask = (family: AddressFamily) => queryAddresses(server, host, family, tryMs, signal);
  const [ipv4, ipv6] = await Promise.all([
    only === 6 ? undefined : step(() => ask(4)),
    only === 4 ? undefined : step(() => ask(6)),
  ]);
  const answered = [ipv4, ipv6].flatMap((one) => (one?.ok ? one.value : []));
  const addresses = answered.flatMap((one) => one.addresses);
  const errors = [ipv4, ipv6].map((one) => (one?.ok === false ? one.error : undefined));
  if (addresses.length === 0) throw worst(errors);
  const failed = errors.findIndex((error) => error !== undefined && !isNone(error));
  return present({
    addresses: sorted(addresses),
    alias: answered[0]?.alias,
    failed: failed < 0 ? undefined : { record: RECORDS[failed], error: errors[failed] },
    ipv4Ms: ipv4 && Math.round(ipv4.elapsedMs),
    ipv6Ms: ipv6 && Math.round(ipv6.elapsedMs),
  }) as Resolution;
}

const RECORDS = ['A', 'AAAA'] as const;

/** The name has no address of that family; an alias has none at its end. */
function isNone(error: unknown): boolean {
  return ['ENODATA', 'EALIAS'].includes(errorName(error));
}

/** Tells whether a code says that there is no address, rather than that a server failed. */
export function isDenial(code: string | undefined): boolean {
  return code === 'dns.not-found' || code === 'dns.not-found: empty alias';
}

/**
 * An answer that says "no" for one family does not excuse a server that fails for the other, and is told
 * beside it: that server does answer.
 */
function worst(errors: readonly unknown[]): unknown {
  const asked = errors.filter((error) => error !== undefined);
  const isNo = (error: unknown) => isDenial(transportCode(error, 'dns'));
  const fault = asked.find((error) => !isNo(error));
  const denied = errors.findIndex((error) => error !== undefined && isNo(error));
  if (denied < 0 || !(fault instanceof Error) || !('code' in fault)) return fault ?? asked[0];
  const other = `to the question for ${RECORDS[1 - denied]}; for ${RECORDS[denied]} it answers ${errorName(errors[denied])}`;
  const { detail } = fault as { detail?: unknown };
  return dnsError(errorName(fault), [detail, other].filter(Boolean).join(' '));
}

function sorted(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses;
  const unique = [...new Set(addresses)];
  try {
    return unique.sort((a, b) => compareAddresses(parseAddress(a), parseAddress(b)));
  } catch {
    return unique.sort();
  }
}

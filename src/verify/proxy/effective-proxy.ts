import { isIP } from 'node:net';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import { type ProxyTarget, readProxy } from './proxy-target.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a client that looks at the environment does with a call to a host. */
export interface EffectiveProxy {
  /** Undefined where such a client goes directly. */
  readonly proxy: ProxyTarget | undefined;
  /** The variable that names a proxy for the scheme, whether it applies to the host or not. */
  readonly variable: string;
  /** The entry of NO_PROXY that exempts the host by its name. */
  readonly exemptBy: string | undefined;
  /** Entries of NO_PROXY that hold the host's address, which several clients do not look at. */
  readonly byAddressOnly: readonly string[];
}

/** @returns undefined where the environment names no proxy for the scheme */
export function effectiveProxy(
  environment: Environment,
  target: {
    readonly scheme: 'http' | 'https';
    readonly host: string;
    readonly port: number;
    readonly addresses: readonly string[];
  },
): EffectiveProxy | undefined {
  // An upper-case HTTP_PROXY can be set by a caller of a CGI program, so clients ignore it.
  const names =
    target.scheme === 'https'
      ? ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
      : ['http_proxy', 'all_proxy', 'ALL_PROXY'];
  const variable = names.find((name) => (environment[name] ?? '') !== '');
  if (variable === undefined) return undefined;
  const entries = (environment.no_proxy ?? environment.NO_PROXY ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  const exemptBy = entries.find((entry) => exempts(entry, target.host, target.port));
  return {
    variable,
    exemptBy,
    proxy: exemptBy === undefined ? readProxy(environment[variable] ?? '') : undefined,
    byAddressOnly:
      exemptBy === undefined ? entries.filter((entry) => holds(entry, target.addresses)) : [],
  };
}

/** Which clients obey the environment, in the words of a report. */
export const OBEYING_CLIENTS =
  'obeyed by curl, Go, Python (requests, httpx) and axios; ignored by fetch and https of Node.js and by Java';

function exempts(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  const [, name = entry, onlyPort] = /^([^:]+):(\d+)$/.exec(entry) ?? [];
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
  const suffix = name.replace(/^\*?\./, '').toLowerCase();
  const own = host.toLowerCase();
  return own === suffix || (isIP(own) === 0 && own.endsWith(`.${suffix}`));
}

function holds(entry: string, addresses: readonly string[]): boolean {
  try {
    const network = entry.includes('/') ? parseCidr(entry) : undefined;
    return addresses.some((text) =>
      network ? cidrContains(network, parseAddress(text)) : text === entry,
    );
  } catch {
    return false;
  }
}

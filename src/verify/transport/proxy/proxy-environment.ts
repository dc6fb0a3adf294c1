import { isIP } from 'node:net';
import { isInside } from '../addresses.js';
import { type ProxyTarget, readProxy } from './proxy.js';

/** The variables of which the first that is set counts; where it is empty, the next group does. */
type Variables = readonly (readonly string[])[];

/** A client's reading of the proxy variables in the environment. */
interface ProxyClient {
  readonly name: string;
  readonly http: Variables;
  readonly https: Variables;
  readonly noProxy: readonly string[];
  /** The variables that hide the other spelling even if they are empty. */
  readonly emptyHides: readonly ('proxy' | 'noProxy')[];
  readonly separator: RegExp;
  /** True if `*` counts beside other entries, and not only alone. */
  readonly starBesideOthers: boolean;
  /** True if `name` means the names below it too. */
  readonly nameMeansBelow: boolean;
  /** True if `.name` means the name itself too. */
  readonly dotMeansItself: boolean;
  /** True if `*.name` is understood, as `.name` is. */
  readonly starDot: boolean;
  /** The rule for `name:port`: never understood, only if the URL names its port, or always. */
  readonly port: 'never' | 'named' | 'always';
  /** The families of which networks are compared with an address in the URL. */
  readonly networks: readonly (4 | 6)[];
  /** The forms of an IPv6 address that are understood: without brackets, and with them. */
  readonly ipv6: readonly ('plain' | 'bracketed')[];
}

const ALL = ['all_proxy', 'ALL_PROXY'];
const NO = ['no_proxy', 'NO_PROXY'];

const COMMA = /,/;
const COMMA_OR_SPACE = /[\s,]+/;

/** The usual behaviour of clients; the rows have the differences. */
const USUAL = {
  http: [['http_proxy', 'HTTP_PROXY'], ALL],
  https: [['https_proxy', 'HTTPS_PROXY'], ALL],
  noProxy: NO,
  emptyHides: [],
  separator: COMMA_OR_SPACE,
  starBesideOthers: false,
  nameMeansBelow: true,
  dotMeansItself: true,
  starDot: false,
  port: 'always',
  networks: [4],
  ipv6: ['plain'],
} as const satisfies Omit<ProxyClient, 'name'>;

/** The behaviour of curl 7.88, Go 1.26, requests 2.34, httpx 0.28, axios 1.21 and undici 7.30. */
export const PROXY_CLIENTS: readonly ProxyClient[] = [
  {
    ...USUAL,
    name: 'curl',
    // An upper-case HTTP_PROXY can be set by a caller of a CGI program; the others look whether they are one.
    http: [['http_proxy'], ALL],
    port: 'never',
  },
  {
    ...USUAL,
    name: 'Go',
    http: [['HTTP_PROXY', 'http_proxy']],
    https: [['HTTPS_PROXY', 'https_proxy']],
    noProxy: ['NO_PROXY', 'no_proxy'],
    separator: COMMA,
    starBesideOthers: true,
    dotMeansItself: false,
    starDot: true,
    networks: [4, 6],
  },
  {
    ...USUAL,
    name: 'Python requests',
    emptyHides: ['proxy'],
    separator: COMMA,
    port: 'named',
  },
  {
    ...USUAL,
    name: 'Python httpx',
    emptyHides: ['proxy', 'noProxy'],
    separator: COMMA,
    starBesideOthers: true,
    dotMeansItself: false,
    port: 'named',
    networks: [],
    ipv6: ['plain', 'bracketed'],
  },
  {
    ...USUAL,
    name: 'axios',
    starBesideOthers: true,
    nameMeansBelow: false,
    dotMeansItself: false,
    starDot: true,
    networks: [4, 6],
    ipv6: ['plain', 'bracketed'],
  },
  {
    ...USUAL,
    name: 'undici’s EnvHttpProxyAgent',
    http: [['http_proxy', 'HTTP_PROXY']],
    https: [
      ['https_proxy', 'HTTPS_PROXY'],
      ['http_proxy', 'HTTP_PROXY'],
    ],
    emptyHides: ['proxy', 'noProxy'],
    starDot: true,
    networks: [],
    ipv6: ['bracketed'],
  },
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** The way of one client's call, by the environment. */
export interface ClientWay {
  readonly client: ProxyClient;
  /** The variable that names a proxy for the scheme; undefined: it finds none and goes directly. */
  readonly variable: string | undefined;
  /** Undefined where the variable names something that is no HTTP proxy. */
  readonly proxy: ProxyTarget | undefined;
  /** The variable whose entries count, where one is set. */
  readonly noProxy: string | undefined;
  readonly entries: readonly string[];
  /** The entry for which it goes directly all the same. */
  readonly exemptBy: string | undefined;
}

/** Computes the way that each client takes to a host, by the environment. */
export function clientWays(environment: Environment, called: CalledHost): ClientWay[] {
  return PROXY_CLIENTS.map((client) => findWay(client, environment, called));
}

function findWay(client: ProxyClient, environment: Environment, called: CalledHost): ClientWay {
  const { emptyHides } = client;
  const variable = client[called.scheme]
    .map((group) => first(environment, group, emptyHides.includes('proxy')))
    .find((name) => name !== undefined && environment[name] !== '');
  const noProxy = first(environment, client.noProxy, emptyHides.includes('noProxy'));
  const entries = (environment[noProxy ?? ''] ?? '')
    .split(client.separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .filter((entry, _, all) => entry !== '*' || client.starBesideOthers || all.length === 1);
  return {
    client,
    variable,
    proxy: variable === undefined ? undefined : readProxy(environment[variable] ?? ''),
    noProxy: entries.length === 0 ? undefined : noProxy,
    entries,
    exemptBy: entries.find((entry) => exempts(client, entry, called)),
  };
}

function first(
  environment: Environment,
  names: readonly string[],
  emptyHides: boolean,
): string | undefined {
  return names.find((name) => (emptyHides ? environment[name] !== undefined : environment[name]));
}

/** The called host, as the URL names it. */
export interface CalledHost {
  readonly scheme: 'http' | 'https';
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Tells whether a client takes an entry of NO_PROXY for a host. Names are compared as text, never
 * resolved.
 */
export function exempts(client: ProxyClient, entry: string, called: CalledHost): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) {
    return client.networks.includes(entry.includes(':') ? 6 : 4) && isInside(called.host, [entry]);
  }
  const { name, port } = splitPort(entry);
  if (port !== undefined && !isPortMeant(client, port, called)) return false;
  return isIP(called.host) === 0
    ? isNameMeant(client, name.toLowerCase(), called.host.toLowerCase())
    : isAddressMeant(client, name.toLowerCase(), called.host.toLowerCase());
}

function isNameMeant(client: ProxyClient, name: string, host: string): boolean {
  const plain = client.starDot ? name.replace(/^\*\./, '.') : name;
  if (!plain.startsWith('.')) {
    return host === plain || (client.nameMeansBelow && host.endsWith(`.${plain}`));
  }
  return host.endsWith(plain) || (client.dotMeansItself && host === plain.slice(1));
}

function isAddressMeant({ ipv6 }: ProxyClient, name: string, host: string): boolean {
  if (isIP(host) === 4) return name === host;
  return (
    (ipv6.includes('plain') && name === host) ||
    (ipv6.includes('bracketed') && name === `[${host}]`)
  );
}

function isPortMeant({ port: rule }: ProxyClient, port: number, called: CalledHost): boolean {
  const isNamed = called.port !== (called.scheme === 'https' ? 443 : 80);
  return port === called.port && (rule === 'always' || (rule === 'named' && isNamed));
}

/** An IPv6 address without brackets has no port. */
function splitPort(entry: string): { name: string; port?: number } {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  return name === undefined ? { name: entry } : { name, port: Number(port) };
}

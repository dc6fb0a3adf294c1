import { type CalledHost, exempts } from './exempts.js';
import { PROXY_CLIENTS, type ProxyClient } from './proxy-clients.js';
import { type ProxyTarget, readProxy } from './proxy-target.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What one client makes of the environment for a call. */
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

const PROXY_VARIABLES = [
  ...new Set(PROXY_CLIENTS.flatMap(({ http, https }) => [...http, ...https].flat())),
];

/** Whether any client would find a proxy, for some scheme. */
export function namesProxy(environment: Environment): boolean {
  return PROXY_VARIABLES.some((name) => environment[name]);
}

/** What each client that looks at the environment does with a call to a host. */
export function clientWays(environment: Environment, called: CalledHost): ClientWay[] {
  return PROXY_CLIENTS.map((client) => wayOf(client, environment, called));
}

function wayOf(client: ProxyClient, environment: Environment, called: CalledHost): ClientWay {
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

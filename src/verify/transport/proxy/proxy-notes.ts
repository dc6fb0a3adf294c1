import { isIP } from 'node:net';
import { safeText } from '../../../codes/redact.js';
import { groupBy } from '../../../lists/group-by.js';
import { isInside } from '../addresses.js';
import type { LinkContext } from '../context.js';
import { type CalledHost, type ClientWay, clientWays, exempts } from './proxy-environment.js';

/** Describes proxies for a reader: the one that was used, or what other clients would do. */
export function proxyNotes({ proxy, run, host, port, isPlain, seen }: LinkContext): string[] {
  if (proxy !== undefined) return [`through the proxy ${proxy.shown}`];
  const { environment = {} } = run.options;
  if (!Object.values(environment).some(Boolean)) return [];
  const called: CalledHost = { scheme: isPlain ? 'http' : 'https', host, port };
  const ways = clientWays(environment, called);
  if (ways.every(({ variable }) => variable === undefined)) return [];
  return [
    ...proxied(ways),
    ...exempted(ways),
    ...blind(ways),
    ...addressEntries(ways, called, seen.addresses),
  ];
}

/** Names the clients that would go through a proxy, although this check does not. */
function proxied(ways: readonly ClientWay[]): string[] {
  const found = ways.filter(({ variable, exemptBy }) => variable && exemptBy === undefined);
  const groups = groupBy(found, ({ variable = '', proxy }) => {
    return `${variable} names ${proxy?.shown ?? 'something that is no http proxy'}`;
  });
  return [...groups].map(
    ([named, those]) =>
      `${named} for this host: obeyed by ${listClients(those)} (not by Node.js itself or Java); this check goes directly`,
  );
}

/** Names the entries of NO_PROXY, and the clients that go directly because of them. */
function exempted(ways: readonly ClientWay[]): string[] {
  const found = ways.filter(({ variable, noProxy }) => variable && noProxy);
  return [...groupBy(found, ({ noProxy }) => noProxy)].map(([name, those]) => {
    const direct = those.filter(({ exemptBy }) => exemptBy !== undefined);
    const groups = groupBy(direct, ({ exemptBy = '' }) => `"${shown(exemptBy)}"`);
    const exempting = [...groups].map(([entry, clients]) => `${entry} for ${listClients(clients)}`);
    const longest = those.toSorted((a, b) => b.entries.length - a.entries.length)[0]?.entries ?? [];
    const list = safeText(longest.map(shown).join(', '));
    return exempting.length === 0
      ? `${name} is "${list}": no entry exempts this host`
      : `${name} is "${list}": this host is exempt by ${exempting.join(', by ')}; they go directly`;
  });
}

/** Names the clients that look at other variables than those that are set. */
function blind(ways: readonly ClientWay[]): string[] {
  const none = ways.filter(({ variable }) => variable === undefined);
  const set = [...new Set(ways.flatMap(({ variable }) => variable ?? []))].join(', ');
  return none.length === 0 ? [] : [`${set} is not looked at by ${listClients(none)} for this host`];
}

/** Entries for the host's addresses: a name is never resolved to be compared with them. */
function addressEntries(
  ways: readonly ClientWay[],
  called: CalledHost,
  addresses: readonly string[],
): string[] {
  if (isIP(called.host) !== 0) return [];
  const entries = new Set(ways.flatMap((way) => (way.variable ? way.entries : [])));
  return [...entries].flatMap((entry) => {
    const address = addresses.find((text) => holds(entry, text));
    if (address === undefined) return [];
    const those = ways.filter(
      ({ client, entries: own }) =>
        own.includes(entry) && exempts(client, entry, { ...called, host: address }),
    );
    return `NO_PROXY has ${shown(entry)}, which holds ${address}: it exempts no call by the name, and one by the address only for ${listClients(those) || 'none of them'}`;
  });
}

function holds(entry: string, text: string): boolean {
  return entry.includes('/') ? isInside(text, [entry]) : entry.replace(/^\[(.*)\]$/, '$1') === text;
}

function listClients(ways: readonly ClientWay[]): string {
  return ways.map(({ client }) => client.name).join(', ');
}

/** A URL with credentials may have been put where none belongs. */
function shown(entry: string): string {
  return entry.replace(/^.*@/, '…@');
}

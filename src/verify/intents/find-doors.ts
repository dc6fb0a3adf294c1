import type { Code } from '../../codes/codes.js';
import {
  type Intent,
  type Name,
  namesIn,
  readHostPort,
  type TreeIntents,
} from '../../intents/intents-file.js';
import type { VerifyOptions } from '../model/options.js';
import type { IntentResult, LinkResult } from '../model/results.js';
import {
  expectedSingles,
  type HostPort,
  hostAndPort,
  isInside,
  readPort,
} from '../transport/addresses.js';
import { means } from './who.js';

/** A place that an intent speaks of, and that can be dialled. */
export interface Door extends HostPort {
  readonly via: string;
  /** Networks of the stack, one of which the door is in. */
  readonly networks: readonly string[];
}

/** The doors of an intent, or why there is none to try. */
export type Doors = { readonly doors: readonly Door[] } | { readonly why: string };

/** Everything that a check knows of the stack's doors, after it has checked its links. */
export interface Known {
  readonly file: TreeIntents;
  readonly links: VerifyOptions['links'];
  readonly doors: readonly (Door & { readonly names: readonly string[] })[];
}

/** @param links as they were found from here: addresses are those that were dialled */
export function knownDoors(
  file: TreeIntents,
  { links, plugins = [] }: Pick<VerifyOptions, 'links' | 'plugins'>,
  found: readonly LinkResult[],
): Known {
  const subjects = (via: string) =>
    (file.doors ?? []).filter((door) => door.via === via).map(({ subject }) => subject);
  const ofLinks = links.flatMap((link, at) => {
    const url = new URL(link.baseUrl);
    const expected =
      link.expectedAddresses.length > 0 ? link.expectedAddresses : link.expectedNetworks;
    // A name that is answered with somebody else's address leads to no door of the stack.
    const seen = (found[at]?.stages.flatMap(({ address }) => address ?? []) ?? []).filter(
      (host) => expected.length === 0 || isInside(host, expected),
    );
    const stated = link.via === 'service-endpoint' ? expectedSingles(link, undefined) : [];
    const networks = [
      ...link.expectedNetworks,
      ...(link.zones ?? []).map(({ network }) => network),
    ];
    const names = [link.name, link.via, url.hostname, ...subjects(link.via)];
    return [...new Set([...seen, ...stated])].map((host) => ({
      host,
      port: readPort(url),
      via: link.via,
      networks,
      names,
    }));
  });
  const via = 'plugin-endpoint-service';
  const ofPlugins = plugins.flatMap(({ name, servers, networks }) =>
    servers.map((server) => ({
      ...hostAndPort(server),
      via,
      networks,
      names: [name, via, ...subjects(via)],
    })),
  );
  return { file, links, doors: [...ofLinks, ...ofPlugins] };
}

/** The doors that an intent speaks of. The service's fixed addresses are the only others that are dialled. */
export function doorsOf(intent: Intent, { doors, file, links }: Known): Doors {
  const { to, expect, canary, protocol } = intent;
  if (protocol !== undefined && protocol !== 'tcp')
    return { why: `${protocol} is not tried, only tcp` };
  const { names, isNot } = namesIn(to);
  const meant = doors.filter(
    (door) =>
      !isNot &&
      names.some(
        (name) =>
          typeof name === 'string' &&
          (door.names.includes(name) || (name === 'service' && door.via === 'fixed-ip-egress')),
      ),
  );
  const onPort = meant.filter(({ port }) => hasPort(intent, port));
  if (onPort.length > 0) return { doors: onPort };
  if (meant.length > 0)
    return { why: 'would be silent either way: nothing is known to listen there' };
  const own = canary === undefined ? undefined : readHostPort(canary);
  if (own !== undefined && expect === 'closed') {
    const names = { file, links, via: 'fixed-ip-egress', isInward: false };
    if (means(to, own.host, names) !== true || !hasPort(intent, own.port)) {
      return { why: `the intent is not known to speak of its canary ${canary}` };
    }
    const networks = doors.flatMap((door) => door.networks);
    return { doors: [{ ...own, via: '', networks }] };
  }
  if (isNot || isOutside(names))
    return { why: 'a door outside is tried only with a `canary` of your own' };
  const listed = (file.doors ?? []).map(({ subject }) => subject);
  const known = names.some((name) => typeof name === 'string' && listed.includes(name));
  return { why: known ? 'no address of it is known here' : 'nothing of this check has that name' };
}

function isOutside(names: readonly Name[]): boolean {
  return names.every(
    (name) => typeof name === 'string' && /^(internet|service|[\d.:a-f/]+)$/.test(name),
  );
}

function hasPort({ port }: Pick<Intent, 'port'>, wanted: number): boolean {
  if (port === undefined) return true;
  return [port].flat().some((one) => {
    const [first = 0, last = first] = typeof one === 'number' ? [one] : one.split('-').map(Number);
    return first <= wanted && wanted <= last;
  });
}

/** The code of a result by which a check fails. */
export function intentCode({ proof }: Intent, result: string): Code | undefined {
  if (result === 'OPEN') return 'intent.open';
  if (result === 'unreachable') return 'intent.unreachable';
  return result === 'not shown' && proof === 'packets' ? 'intent.not-shown' : undefined;
}

/** A result of now. */
export function resultOf(
  intent: Intent,
  result: IntentResult['result'],
  seen: string,
): IntentResult {
  const { name, expect } = intent;
  const code = intentCode(intent, result);
  return { name, expect, result, seen, at: new Date().toISOString(), ...(code && { code }) };
}

/** A result that shows nothing. */
export function notShown(
  intent: Intent,
  why: string,
  more: Partial<IntentResult> = {},
): IntentResult {
  return { ...resultOf(intent, 'not shown', why), ...more };
}

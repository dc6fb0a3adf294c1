import { peerName } from '../../reach/packet-rule.js';
import { combine, type OpenRanges } from '../../reach/sets/ranges.js';
import { type Cell, peerOf, type Region, splitParts } from '../../reach/sets/region.js';
import { servicesText, subtract, union } from '../../reach/sets/services.js';
import type { Statement } from './statement.js';
import { regionOf, type Surface } from './surface.js';

/** The most that a stack may be, by what is deployed and what was reviewed since. */
export interface Allowed {
  readonly opens: Region;
  /** The least that its firewall must stop. */
  readonly denies: Region;
  readonly content: ReadonlyMap<string, string>;
}

/**
 * Adds reviewed changes to what is deployed, in the order of their merges.
 *
 * @param deployed packets that the stack opens now
 * @param known statements that are deployed already: they tell the content that opens nothing
 * @param since statements that were merged after those
 */
export function allow(
  name: string,
  deployed: Surface['opens'],
  known: readonly Statement[],
  since: readonly Statement[],
): Allowed {
  const all = [...known, ...since];
  const first = all[0]?.base[name];
  return {
    opens: since.reduce((open, change) => step(open, change, name, 'opens'), regionOf(deployed)),
    denies: all.reduce(
      (denied, change) => step(denied, change, name, 'denies'),
      regionOf(first?.denies ?? []),
    ),
    content: all.reduce(
      (content, change) => contentAfter(content, change, name),
      new Map(Object.entries(first?.content ?? {})),
    ),
  };
}

/** Takes away what a change closes, and adds what it opens. */
function step(open: Region, change: Statement, name: string, kind: 'opens' | 'denies'): Region {
  const base = regionOf(change.base[name]?.[kind] ?? []);
  const head = regionOf(change.head[name]?.[kind] ?? []);
  const cells = new Map([...open, ...base, ...head]);
  return new Map(
    [...cells].map(([key, cell]) => {
      const [was, now] = [rangesAt(base, key), rangesAt(head, key)];
      const left = combine(rangesAt(open, key), combine(was, now, subtract), subtract);
      return [key, { ...cell, ranges: combine(left, combine(now, was, subtract), union) }];
    }),
  );
}

function rangesAt(region: Region, key: string): OpenRanges {
  return region.get(key)?.ranges ?? [];
}

function contentAfter(
  content: ReadonlyMap<string, string>,
  { base, head }: Statement,
  name: string,
): Map<string, string> {
  const [was, now] = [base[name]?.content ?? {}, head[name]?.content ?? {}];
  const after = new Map(content);
  for (const part of Object.keys(was)) if (!Object.hasOwn(now, part)) after.delete(part);
  for (const [part, digest] of Object.entries(now)) {
    if (was[part] !== digest) after.set(part, digest);
  }
  return after;
}

/** Finds the first thing in which a stack goes beyond what is allowed, as a clause; undefined if nothing does. */
export function findExcess(surface: Surface, allowed: Allowed): string | undefined {
  return (
    findMore(allowed.opens, regionOf(surface.opens), 'it opens') ??
    findMore(regionOf(surface.denies), allowed.denies, 'its firewall no longer stops') ??
    findOther(surface.content, allowed.content)
  );
}

function findMore(least: Region, region: Region, what: string): string | undefined {
  for (const { cell, pair } of splitParts(least, region)) {
    const more = subtract(pair.b, pair.a);
    const [span] = more;
    if (span === undefined) continue;
    const service = servicesText([{ first: span.first, last: span.first }]);
    return `${what} ${packetText(cell, pair.first, service)}`;
  }
  return undefined;
}

function packetText(cell: Cell, first: bigint, service: string): string {
  const peer = peerName(peerOf(cell, { first, last: first }));
  const { carrier = '', direction } = cell;
  return direction === 'ingress'
    ? `${peer} → ${carrier}, ${service}`
    : `${carrier} → ${peer}, ${service}`;
}

function findOther(
  content: Surface['content'],
  allowed: ReadonlyMap<string, string>,
): string | undefined {
  const own = new Map(Object.entries(content));
  const parts = new Set([...own.keys(), ...allowed.keys()]);
  const other = [...parts].find((part) => own.get(part) !== allowed.get(part));
  return other === undefined ? undefined : `another content than was reviewed has ${other}`;
}

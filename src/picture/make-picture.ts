import { groupBy } from '../lists/group-by.js';
import { peerName } from '../reach/packet-rule.js';
import type { AskedParts } from '../reach/questions/report.js';
import { type OpenPart, openParts, toRow } from '../reach/questions/table.js';
import { labelOf } from '../reach/reports/document.js';
import { combine, meet, type OpenRanges, rangesAt, uniteAll } from '../reach/sets/ranges.js';
import { subtract } from '../reach/sets/services.js';
import { closedLines, decidedBy, type Spot, stopOf } from './closed-doors.js';
import type { Line, Mark, Picture, Place } from './model.js';
import { doorBoxes, roleOf } from './names.js';

/**
 * Makes the picture of stacks from the parts of which every row of `reach` is made.
 *
 * @param base the stacks before, to mark what came and went
 */
export function makePicture(head: AskedParts, base?: AskedParts): Picture {
  const pairs = pairSpots(spotsOf(head), base === undefined ? [] : spotsOf(base));
  const places = pairs.flatMap(([after, before]) => {
    const own = after ?? before;
    if (own === undefined) return [];
    const place = placeOf(own);
    const pieces = piecesOf(after, base === undefined ? undefined : (before ?? EMPTY));
    const lines = [
      ...linesOf(pieces, after, before),
      ...closedLines(after, head, base === undefined ? 'none' : before),
    ];
    return lines.length === 0 ? [] : [{ ...place, lines }];
  });
  const unread = head.stacks.flatMap((stack) => stack.unread);
  return { places: bySubject(places), isCompared: base !== undefined, unread };
}

const EMPTY: Pick<Spot, 'parts'> = { parts: [] };

function spotsOf({ stacks, packetsOf }: AskedParts): Spot[] {
  return stacks.flatMap((stack) => {
    const open = groupBy(openParts(stack, packetsOf), ({ way }) => way);
    const ways = [...new Set([...stack.ways, ...open.keys()])];
    return ways.map((way) => ({ stack, way, parts: open.get(way) ?? [] }));
  });
}

/** Pairs the places of two trees: those of one name by their rules, by what carries them, then in their order. */
function pairSpots(head: readonly Spot[], base: readonly Spot[]) {
  const left = new Set(base);
  const partners = new Map<Spot, Spot>();
  for (const keyOf of [resourceKey, carrierKey, nameKey]) {
    const waiting = groupBy([...left], keyOf);
    const queues = new Map([...waiting].map(([key, spots]) => [key, [...spots]]));
    for (const spot of head) {
      const partner = partners.has(spot) ? undefined : queues.get(keyOf(spot))?.shift();
      if (partner === undefined) continue;
      partners.set(spot, partner);
      left.delete(partner);
    }
  }
  const gone = [...left].map((spot) => [undefined, spot] as const);
  return [...head.map((spot) => [spot, partners.get(spot)] as const), ...gone];
}

function nameKey({ way: { stack, direction, subject, via, series } }: Spot): string {
  return JSON.stringify([stack, direction, subject, via, series === undefined]);
}

function carrierKey(spot: Spot): string {
  return `${nameKey(spot)} ${spot.way.series?.map(({ list }) => list.carrier).join()}`;
}

/** Several listeners of one load balancer have one carrier. */
function resourceKey(spot: Spot): string {
  const rules = spot.way.series?.flatMap(({ list }) => list.rules) ?? [];
  return `${carrierKey(spot)} ${[...new Set(rules.map(({ resource }) => resource))].join()}`;
}

function placeOf({ way, parts }: Spot): Omit<Place, 'lines'> {
  const { stack, subject, direction, hosts = [] } = way;
  const names = [...new Set(hosts.map(({ name }) => name))];
  return {
    stack,
    subject,
    direction,
    role: roleOf(way),
    hosts: names,
    doors: doorBoxes(way, parts),
  };
}

/** Puts the places of one stack, and in it those of one subject, beside each other. */
function bySubject(places: readonly Place[]): Place[] {
  const stacks = [...groupBy(places, ({ stack }) => stack).values()];
  return stacks.flatMap((own) => [...groupBy(own, ({ subject }) => subject).values()].flat());
}

/** Packets of a part that fare alike, before and after. */
interface Piece {
  readonly mark: Mark;
  readonly part: OpenPart;
  /** Nothing lets them through any more: the part is the base's. */
  readonly isGone?: boolean;
}

/** @param before undefined where nothing is compared */
function piecesOf(after: Spot | undefined, before: Pick<Spot, 'parts'> | undefined): Piece[] {
  const parts = after?.parts ?? [];
  if (before === undefined) return parts.map((part) => ({ mark: 'kept', part }));
  const [now, was] = [groupBy(parts, classOf), groupBy(before.parts, classOf)];
  const classes = new Set([...now.keys(), ...was.keys()]);
  return [...classes].flatMap((key) => comparePieces(now.get(key) ?? [], was.get(key) ?? []));
}

function classOf({ peer }: OpenPart): string {
  return peer.kind === 'addresses' ? `${peer.family}` : peerName(peer);
}

/** Splits packets by how they fare in both trees: more openly, less openly, or as before. */
function comparePieces(head: readonly OpenPart[], base: readonly OpenPart[]): Piece[] {
  const [now, was] = [boundsOf(head), boundsOf(base)];
  const inDoubtOf = (parts: readonly OpenPart[]) => parts.filter((part) => !isSure(part));
  const [sure, inDoubt] = [head.filter(isSure), inDoubtOf(head)];
  const minus = (a: OpenRanges, b: OpenRanges) => combine(a, b, subtract);
  const marked = (
    mark: Mark,
    ranges: OpenRanges,
    parts: readonly OpenPart[],
    isGone = false,
  ): Piece[] => cutParts(parts, ranges).map((part) => ({ mark, part, isGone }));
  return [
    ...marked('added', minus(now.sure, was.sure), sure),
    ...marked('added', minus(now.doubt, was.all), inDoubt),
    ...marked('removed', minus(was.sure, now.all), base.filter(isSure), true),
    ...marked('removed', minus(was.doubt, now.all), inDoubtOf(base), true),
    ...marked('removed', meet(was.sure, now.doubt), inDoubt),
    ...marked('kept', meet(now.sure, was.sure), sure),
    ...marked('kept', meet(now.doubt, was.doubt), inDoubt),
  ];
}

function isSure({ depends }: OpenPart): boolean {
  return depends.length === 0;
}

function boundsOf(parts: readonly OpenPart[]) {
  const sure = uniteAll(parts.filter(isSure).map(({ range }) => range));
  const all = uniteAll(parts.map(({ range }) => range));
  return { sure, all, doubt: combine(all, sure, subtract) };
}

/** The parts that packets belong to, each cut to them. @param parts in order, for there can be thousands */
function cutParts(parts: readonly OpenPart[], packets: OpenRanges): OpenPart[] {
  const byRange = new Map(parts.map((part) => [part.range, part]));
  const ordered = [...byRange.keys()];
  return packets.flatMap((wanted) =>
    rangesAt(ordered, wanted).flatMap((range) => {
      const part = byRange.get(range);
      if (part === undefined) return [];
      const { peer } = part;
      return meet([range], [wanted]).map((own) => ({
        ...part,
        range: own,
        peer: peer.kind === 'addresses' ? { ...peer, first: own.first, last: own.last } : peer,
      }));
    }),
  );
}

/** Makes a line of all packets that differ in their peers alone. */
function linesOf(
  pieces: readonly Piece[],
  after: Spot | undefined,
  before: Spot | undefined,
): Line[] {
  const rows = pieces.flatMap((piece) => {
    const stack = (piece.isGone ? before : after)?.stack;
    return stack === undefined ? [] : [{ piece, row: toRow(piece.part, stack) }];
  });
  const alike = groupBy(rows, ({ piece: { mark, isGone, part }, row: { peer: _, ...row } }) =>
    JSON.stringify([mark, isGone, part.peer.kind, row]),
  );
  return [...alike.values()].map((all) => {
    const [{ piece, row }] = all;
    const peers = all.map((one) => one.row.peer);
    const { mark, part, isGone } = piece;
    return {
      mark,
      state: isSure(part) ? 'open' : 'doubt',
      rows: all.map((one) => one.row),
      peers,
      label: labelOf(peers),
      services: row.services,
      ...(isGone && { stop: stopOf(after, part) }),
      ...decidedBy(part, isGone ? [before, after] : [after]),
      ...{ resource: row.resource, reason: row.reason, depends: row.depends },
    };
  });
}

import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import type { PacketRule, Packets, RulePeer } from '../packet-rule.js';
import {
  combine,
  type OpenRange,
  type OpenRanges,
  overlay,
  type Pair,
  uniteAll,
} from './ranges.js';
import { intersect } from './services.js';

/** The packets of one subject in one direction, to addresses of one family or to one named peer. */
export interface Cell
  extends Pick<PacketRule, 'stack' | 'via' | 'direction' | 'subject' | 'carrier'> {
  readonly peer: PeerClass;
  /** A named peer has number 0. */
  readonly ranges: OpenRanges;
}

export type PeerClass =
  | { readonly kind: 'addresses'; readonly family: 4 | 6 }
  | Exclude<RulePeer, { readonly kind: 'addresses' }>;

/** Everything that rules let through, as sets; cells by a key that says all but the set. */
export type Region = ReadonlyMap<string, Cell>;

/** Rules that say the same in other words make the same region. */
export function toRegion(rules: readonly Packets[]): Region {
  const groups = [...groupBy(rules, cellKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(groups.map(([key, group]) => [key, toCell(group)]));
}

function toCell(rules: NonEmpty<Packets>): Cell {
  const [{ stack = '', via = '', direction = '', subject = '', carrier, peer }] = rules;
  const place = { stack, via, direction, subject, ...(carrier !== undefined && { carrier }) };
  const own: PeerClass =
    peer.kind === 'addresses' ? { kind: peer.kind, family: peer.family } : peer;
  return { ...place, peer: own, ranges: uniteAll(rules.map(toRange)) };
}

/** The set of one rule. */
export function toRange({ peer, services }: Packets): OpenRange {
  const { first, last } = peer.kind === 'addresses' ? peer : { first: 0n, last: 0n };
  return { first, last, services };
}

/** The peer of a part of a cell. */
export function peerOf(
  { peer }: Pick<Cell, 'peer'>,
  { first, last }: Pick<OpenRange, 'first' | 'last'>,
): RulePeer {
  return peer.kind === 'addresses' ? { kind: peer.kind, family: peer.family, first, last } : peer;
}

/** Subjects are names: where Terraform applies a rule, its carrier tells cells apart. */
export function cellKey(packets: Partial<Cell> & { readonly peer: PeerClass | RulePeer }): string {
  const { stack = '', via = '', direction = '', subject = '', carrier, peer } = packets;
  const place = carrier === undefined ? [via, subject] : ['', carrier];
  return JSON.stringify([stack, ...place, direction, peer.kind, peerClassName(peer)]);
}

/** A key of a stack and a direction, whoever's rules they are. */
export function directionKey({ stack = '', direction = '', peer }: Packets): string {
  return cellKey({ stack, direction, peer });
}

function peerClassName(peer: PeerClass | RulePeer): string {
  return peer.kind === 'addresses' ? String(peer.family) : peer.name;
}

type CellNames = Pick<Cell, 'via' | 'direction' | 'subject' | 'peer'>;

/** A cell by its names, whoever carries it. */
export function cellId({ via, direction, subject, peer }: CellNames): string[] {
  return [via, direction, subject, peer.kind, peerClassName(peer)];
}

/** A part of a cell by names and numbers: no text for people is in it. */
export function packetsId(cell: CellNames, { first, last, services }: OpenRange): string[] {
  const spans = services.map((span) => `${span.first}-${span.last}`);
  return [...cellId(cell), `${first}-${last}`, ...spans];
}

/** A part of two regions in which each lets one set of services through. */
export interface Part {
  readonly key: string;
  readonly cell: Cell;
  readonly pair: Pair;
}

/** Cuts both regions into parts, cell by cell; there can be thousands. */
export function* splitParts(a: Region, b: Region): Generator<Part> {
  for (const [key, cell] of allCells(a, b)) {
    const pairs = overlay(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? []);
    for (const pair of pairs) yield { key, cell, pair };
  }
}

/** Peers, ranges counted once, to which something stays open as it was. */
export function countUnchanged(a: Region, b: Region): number {
  const unchanged = (key: string) =>
    combine(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? [], intersect).length;
  return allCells(a, b).reduce((sum, [key]) => sum + unchanged(key), 0);
}

/** Lists the cells of both; for a key in both, that of the second. */
function allCells(a: Region, b: Region): [string, Cell][] {
  return [...new Map([...a, ...b])].sort(([one], [other]) => (one < other ? -1 : 1));
}

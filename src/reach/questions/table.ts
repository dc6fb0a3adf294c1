import { type PacketRule, peerName } from '../packet-rule.js';
import type { ReachRow } from '../report-schema.js';
import { ASSUMED } from '../semantics.js';
import { RuleLookup } from '../sets/lookup.js';
import { combine, type OpenRange } from '../sets/ranges.js';
import { type Cell, cellKey, directionKey, peerOf, toRegion } from '../sets/region.js';
import { intersect, servicesText, subtract } from '../sets/services.js';
import type { Reached } from './doors.js';

/** Lists everything that stacks let through, set by set. */
export function reachTable(stacks: readonly Reached[]): ReachRow[] {
  return stacks.flatMap(({ open, stated }) => {
    const [widest, narrowest] = [toRegion(open.open), toRegion(open.closed)];
    const through = new RuleLookup(open.open, cellKey);
    return [...widest].flatMap(([key, cell]) => {
      const certain = narrowest.get(key)?.ranges ?? [];
      const row = (range: OpenRange, depends: string) =>
        toRow(cell, range, depends, through.find(key, range, range.services), stated);
      return [
        ...combine(cell.ranges, certain, intersect).map((range) => row(range, '')),
        ...combine(cell.ranges, certain, subtract).map((range) => row(range, inDoubt(cell))),
      ];
    });
  });
}

function inDoubt({ direction, carrier = '' }: Cell): string {
  const isFirewall = carrier.startsWith('Cloud Firewall');
  const id = isFirewall || direction === 'ingress' ? 'firewall-same-position' : 'group-outward';
  return ASSUMED[id].question;
}

function toRow(
  cell: Cell,
  range: OpenRange,
  depends: string,
  through: readonly PacketRule[],
  stated: RuleLookup<PacketRule>,
): ReachRow {
  const { stack, direction, subject, via } = cell;
  const peer = peerOf(cell, range);
  const reasons = stated
    .find(directionKey({ stack, direction, peer, services: range.services }), range, range.services)
    .filter((rule) => rule.subject === subject)
    .map(({ reason }) => reason);
  return {
    stack,
    direction,
    subject,
    peer: peerName(peer),
    services: servicesText(range.services),
    via,
    resource: joined(through.map(({ resource = '' }) => resource)),
    reason: joined(reasons),
    depends,
  };
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join('; ');
}

/** The subjects that questions can name. */
export function subjectsOf(stacks: readonly Reached[]): string[] {
  return [...new Set(stacks.flatMap(({ doors }) => doors.map(({ subject }) => subject)))].sort();
}

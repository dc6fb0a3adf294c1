import { groupBy } from '../lists/group-by.js';
import { type RulePeer, rangeText } from '../reach/packet-rule.js';
import { describeRules, judgeAt } from '../reach/questions/answer.js';
import type { AskedParts } from '../reach/questions/report.js';
import type { OpenPart } from '../reach/questions/table.js';
import type { DecidingRule } from '../reach/report-schema.js';
import { labelOf } from '../reach/reports/document.js';
import { combine, type OpenRange, type OpenRanges, uniteAll } from '../reach/sets/ranges.js';
import { toRange } from '../reach/sets/region.js';
import { type OnePacket, pickOne } from '../reach/sets/sample.js';
import { servicesText, subtract } from '../reach/sets/services.js';
import type { Door, Way } from '../reach/ways/door.js';
import type { Reached } from '../reach/ways/doors.js';
import { ACCEPTS, type Asked, everyPacket, passAll } from '../reach/ways/pass.js';
import type { Line } from './model.js';

/** A place of one tree, with everything that passes it. */
export interface Spot {
  readonly stack: Reached;
  readonly way: OpenPart['way'];
  readonly parts: readonly OpenPart[];
}

type About = Pick<AskedParts, 'packetsOf' | 'isQuestion'>;

/** Everything that decides on one packet of a part, in each of several trees, with that packet for people. */
export function decidedBy(
  { peer, range, resources, way }: Pick<OpenPart, 'peer' | 'range' | 'resources' | 'way'>,
  spots: readonly (Spot | undefined)[],
): Pick<Line, 'rules' | 'packet'> {
  if (peer.kind !== 'addresses') {
    const rules = resources.map((resource) => ({ resource, ...LETS_IN }));
    return { rules, packet: '' };
  }
  const packet = pickOne(peer.family, [range]);
  const all = spots.flatMap((spot) => (spot === undefined ? [] : rulesAt(spot, packet)));
  const rules = [...groupBy(all, (rule) => JSON.stringify(rule)).values()].map(([rule]) => rule);
  return { rules, packet: packetText(way, packet) };
}

const LETS_IN = { file: '', effect: 'accept', rule: 'lets the name in', reason: '' } as const;

function rulesAt({ stack, way }: Spot, packet: OnePacket): DecidingRule[] {
  const { series, families = [4, 6] } = way;
  if (series === undefined) return [];
  const asked = { family: packet.peer.family, packets: [toRange(packet)] };
  return describeRules(judgeAt({ series, families }, asked).by(), packet, stack);
}

/** `10.0.0.1 to orders, tcp 443`. */
function packetText(
  { direction, subject }: Pick<Way, 'direction' | 'subject'>,
  { peer, services }: OnePacket,
): string {
  const other = rangeText(peer.family, peer.first, peer.last);
  const [from, to] = direction === 'ingress' ? [other, subject] : [subject, other];
  return `${from} to ${to}, ${servicesText(services)}`;
}

/** Finds the door of a place that stops a packet of a part; undefined where none does, or none is there. */
export function stopOf(
  spot: Spot | undefined,
  { peer, range }: Pick<OpenPart, 'peer' | 'range'>,
): number | undefined {
  if (peer.kind !== 'addresses') return undefined;
  const { family } = peer;
  const packets = [toRange(pickOne(family, [range]))];
  const at = spot?.way.series?.findIndex(
    (door) => throughDoor(door, { family, packets }).length === 0,
  );
  return at === undefined || at < 0 ? undefined : at;
}

function throughDoor(door: Door, asked: Asked): OpenRanges {
  return passAll([door], asked, ACCEPTS).open;
}

/**
 * Lists what doors of a place stop: of a question everything asked about; else what the place's own rules accept and
 * another door does not, or the place as a whole where nobody gets there; beside another tree that is left out.
 *
 * @param before the place in a tree to compare with
 */
export function closedLines(
  spot: Spot | undefined,
  about: About,
  before: Spot | undefined | 'none',
): Line[] {
  if (spot === undefined || spot.way.series === undefined) return [];
  if (before === 'none') {
    const closed = closedAt(spot, about, []);
    return closed.length + spot.parts.length > 0 ? closed : [nobody(spot)];
  }
  // What the tree before let through is drawn as what closes.
  const lines = closedAt(spot, about, before?.parts ?? []);
  const was = before === undefined ? [] : closedAt(before, about, []);
  const keyOf = ({ label, services, stop }: Line) => JSON.stringify([label, services, stop]);
  const known = new Set(was.map(keyOf));
  return lines.map((line) => (known.has(keyOf(line)) ? line : { ...line, mark: 'added' }));
}

/** @param except packets that other lines are of */
function closedAt(
  spot: Spot,
  { packetsOf = everyPacket, isQuestion = false }: About,
  except: readonly OpenPart[],
): Line[] {
  const { way } = spot;
  const { series = [], families = [4, 6] } = way;
  const own = ownDoor(way);
  const stopped = families.flatMap((family) => {
    const asked = packetsOf(family);
    const door = own === undefined ? undefined : series[own];
    const accepted = door === undefined ? [] : throughDoor(door, asked);
    const others = except.flatMap(({ peer, range }) =>
      peer.kind === 'addresses' && peer.family === family ? [range] : [],
    );
    const packets = combine(isQuestion ? asked.packets : accepted, uniteAll(others), subtract);
    return stoppedParts(series, { ...asked, packets }).map(({ at, range }) => ({
      ...{ at, range },
      peer: { kind: 'addresses', family, first: range.first, last: range.last } as const,
    }));
  });
  const alike = groupBy(stopped, ({ at, range }) => JSON.stringify([at, range.services]));
  return [...alike.values()].map((all) => closedLine(spot, all));
}

/** The place of the door whose rules say who is let in: the place's own, or a firewall that is alone. */
function ownDoor({ series = [], direction }: Spot['way']): number | undefined {
  const ruled = series.flatMap(({ list }, at) => (list.kind === 'gate' ? [] : [at]));
  return direction === 'ingress' ? ruled.at(-1) : ruled[0];
}

/** Sends packets from door to door, and lists what each of them stops. */
function stoppedParts(series: readonly Door[], asked: Asked) {
  let open = asked.packets;
  return series.flatMap((door, at) => {
    const next = throughDoor(door, { ...asked, packets: open });
    const stopped = combine(open, next, subtract);
    open = next;
    return stopped.map((range) => ({ at, range }));
  });
}

type Stopped = { readonly at: number; readonly range: OpenRange; readonly peer: RulePeer };

function closedLine(spot: Spot, all: readonly [Stopped, ...Stopped[]]): Line {
  const [{ at, range, peer }] = all;
  const peers = all.map((one) =>
    one.peer.kind === 'addresses'
      ? rangeText(one.peer.family, one.range.first, one.range.last)
      : '',
  );
  const decided = decidedBy({ peer, range, resources: [], way: spot.way }, [spot]);
  return {
    ...closed(spot, at),
    ...decided,
    peers,
    label: labelOf(peers),
    services: servicesText(range.services),
  };
}

/** The line of a place that nobody gets to, whoever asks. */
function nobody(spot: Spot): Line {
  const at = ownDoor(spot.way) ?? (spot.way.series?.length ?? 1) - 1;
  return {
    ...closed(spot, at),
    peers: [],
    label: spot.way.direction === 'ingress' ? 'nobody' : 'nothing',
    services: '',
  };
}

function closed({ way: { series = [] } }: Spot, stop: number): Line {
  const carrier = series[stop]?.list.carrier ?? '';
  return {
    ...{ mark: 'kept', state: 'closed', rows: [], peers: [], label: '', services: '', stop },
    ...{ rules: [], packet: '', resource: carrier, reason: '', depends: '' },
  };
}

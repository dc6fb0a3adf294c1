import { isIP } from 'node:net';
import { type Reason, reasonOf } from '../../../codes/codes.js';
import type { VantagePoint } from '../../../link/vantage-point.js';
import { nameSome } from '../../../lists/counted.js';
import { firstFailure, isBlocked, isGood } from '../../model/findings.js';
import type { ClosedResult, Finding, LinkResult } from '../../model/verification.js';
import { bracketed, readHost, readPort } from '../../transport/addresses.js';
import type { Order } from './messages.js';

/** The results from a vantage point, as they came. */
export interface Seen {
  readonly vantagePoint: VantagePoint;
  readonly links: readonly LinkResult[];
  readonly at: string;
}

/** A door of a link, as a vantage point has reached it by a TCP handshake. */
interface Door {
  readonly address: string;
  /** `ADDRESS:PORT` that was dialled, wherever a rule led. */
  readonly dialled: string;
  readonly from: string;
  readonly at: string;
  /** Whoever answered there proved to be the link's server. */
  readonly isProven: boolean;
}

/**
 * Tries the doors that vantage points have reached from those that must not reach them. Then the former
 * reach them once more: a door that is gone by then does not count as closed.
 *
 * @param reached the results of all links from each vantage point that may reach them
 * @param ask connects to the links of an order from vantage points, and sends nothing
 */
export async function tryClosed(
  closed: readonly VantagePoint[],
  reached: readonly Seen[],
  order: Order,
  ask: (from: readonly VantagePoint[], order: Order) => Promise<readonly Seen[]>,
): Promise<ClosedResult[]> {
  const doors = order.links.map((_, at) => findDoors(reached, at));
  const own = connectOnly(order, doors);
  const isAny = own.links.length > 0;
  const dialled = isAny ? await ask(closed, own) : [];
  const witnesses = reached.filter((one) => order.links.some((_, at) => findDoors([one], at)[0]));
  const points = witnesses.map(({ vantagePoint }) => vantagePoint);
  const again = isAny ? await ask(points, own) : [];
  return order.links.flatMap((link, i) => {
    const at = own.links.indexOf(link);
    const still = findDoors(again, at);
    return closed.map(({ name }, from): ClosedResult => {
      const { links, at: when = new Date().toISOString() } = dialled[from] ?? {};
      const rows = (doors[i] ?? []).map((door) => judge(door, links?.[at]?.stages ?? [], still));
      return { link: link.name, vantagePoint: name, at: when, ...worstOf(rows) };
    });
  });
}

/** Finds each address of a link that a TCP handshake has reached, once. */
function findDoors(all: readonly Seen[], at: number): Door[] {
  const doors = new Map<string, Door>();
  for (const { vantagePoint, links, at: when } of all) {
    const { stages = [], baseUrl = '' } = links[at] ?? {};
    for (const { stage, status, address, evidence } of stages) {
      const isReached = stage === 'tcp' && isGood({ status }) && address !== undefined;
      if (!isReached || doors.has(address)) continue;
      const direct = `${bracketed(address)}:${readPort(new URL(baseUrl))}`;
      const tls = find(stages, 'tls', address);
      const isProven = tls !== undefined && tls.status !== 'failed' && !isBlocked(tls);
      const dialled = String(evidence.connectedTo ?? direct);
      doors.set(address, { address, dialled, from: vantagePoint.name, at: when, isProven });
    }
  }
  return [...doors.values()];
}

function find(stages: readonly Finding[], name: Finding['stage'], of: string) {
  return stages.find(({ stage, address }) => stage === name && address === of);
}

/** Builds the order that connects to those doors and no others: without DNS, a key, an ID or a request. */
function connectOnly(order: Order, doors: readonly (readonly Door[])[]): Order {
  const resolve = order.links.flatMap(({ baseUrl }, at) => {
    const url = new URL(baseUrl);
    const addresses = (doors[at] ?? []).map(({ address }) => address).join(',');
    return addresses === '' || isIP(readHost(url)) !== 0
      ? []
      : `${readHost(url)}:${readPort(url)}:${addresses}`;
  });
  const own = { auth: false, probes: false, settle: 1, credentials: {}, resolve };
  return {
    links: order.links.filter((_, at) => doors[at]?.length),
    plugins: [],
    connectOnly: true,
    options: { ...order.options, ...own },
    authorities: order.authorities,
  };
}

/** The failures by which a connection is kept out; others are of the vantage point itself. */
const KEPT_OUT: readonly (Reason | undefined)[] = ['tcp.timeout', 'tcp.refused', 'tcp.unreachable'];

type Row = Omit<ClosedResult, 'link' | 'vantagePoint' | 'at'>;

/** @param still the doors that are reached after that */
function judge(door: Door, stages: readonly Finding[], still: readonly Door[]): Row {
  const tcp = find(stages, 'tcp', door.address);
  const again = still.find(({ dialled }) => dialled === door.dialled);
  const first = `${door.from} reached ${door.dialled} at ${door.at}`;
  const reached = again ? `${first}, and ${again.from} at ${again.at}` : first;
  const row = (result: Row['result'], seen: string): Row => {
    return { door: door.dialled, result, seen, reached };
  };
  const failure = (tcp?.status === 'failed' ? tcp : firstFailure(stages)) ?? { evidence: {} };
  const { code = '', evidence }: Partial<Finding> & Pick<Finding, 'evidence'> = failure;
  const how = [code, evidence.error, evidence.own].filter(Boolean).join(', ');
  if (tcp !== undefined && isGood(tcp)) {
    const tls = find(stages, 'tls', door.address);
    const isOther = door.isProven && tls?.status === 'failed';
    // A proxy on the way takes every connection, and is not the link's server.
    return isOther
      ? row('not shown', `a connection opened, but to somebody else (${tls.code})`)
      : { ...row('OPEN', 'a connection opened'), code: 'intent.open' };
  }
  if (tcp === undefined || !KEPT_OUT.includes(reasonOf(failure)) || evidence.own !== undefined) {
    const own = row('not shown', `the vantage point could not try it (${how || 'nothing seen'})`);
    return code.startsWith('run.') ? { ...own, code } : own;
  }
  return again === undefined
    ? row('not shown', `no connection opened (${how}), but nobody else reaches it any more either`)
    : row('closed', `no connection opened (${how})`);
}

/** The limit of doors that a result names. */
const MAX_DOORS = 3;

/** Joins the doors of a link: it is closed only if each of them is. */
function worstOf(rows: readonly Row[]): Row {
  const worst = ['OPEN', 'not shown', 'closed'].find((one) =>
    rows.some(({ result }) => result === one),
  );
  const [first, ...others] = rows.filter(({ result }) => result === worst);
  if (first === undefined) {
    return { result: 'not shown', seen: 'no other vantage point of this run reached it' };
  }
  const doors = [first, ...others].flatMap(({ door }) => door ?? []);
  return { ...first, door: nameSome(doors, MAX_DOORS) };
}

import { isUnknown, list, object, type TerraformStackJson, text } from '../read/terraform-json.js';
import { cidrPeer, type ReviewedPeer } from '../reviewed-rule.js';
import { combine, type OpenRanges } from '../sets/ranges.js';
import { type Cell, regionOf } from '../sets/region.js';
import { EVERYTHING, type Services, servicesOf } from '../sets/services.js';
import { subtract, union } from '../sets/spans.js';
import { addressPeers, listedPeers, members, type Peers } from './read-peers.js';
import { joinReadings, type Opening, type Reader, type Reading } from './reading.js';

interface Permission {
  readonly priority: number;
  readonly policy: string;
  readonly peers: readonly ReviewedPeer[];
  readonly services: Services;
}

/** The rules of a group as the cloud decides by them. */
export const securityGroup: Reader = (resource, stack) =>
  joinReadings(
    (['ingress', 'egress'] as const).map((direction) => {
      const read = list(resource.body[`${direction}_permissions`]).map((entry) =>
        permission(object(entry), direction, resource.address, stack),
      );
      const rules = read.flatMap(({ rule }) => rule ?? []);
      return {
        openings: decided(rules, direction, resource.address).map((opening) => ({
          ...opening,
          resource: resource.address,
        })),
        problems: read.flatMap(({ problems }) => problems),
      } satisfies Reading;
    }),
  );

function permission(
  entry: Readonly<Record<string, unknown>>,
  direction: string,
  where: string,
  stack: TerraformStackJson,
): { readonly rule?: Permission; readonly problems: readonly string[] } {
  const { peers, problems } = peersOf(entry, where, stack);
  const services = readServices(entry);
  const known =
    typeof entry.priority === 'number' &&
    (entry.policy === 'accept' || entry.policy === 'drop') &&
    (entry.direction ?? direction) === direction;
  if (!known || services === undefined) {
    return { problems: [`${where} has a rule that cannot be read, got: ${JSON.stringify(entry)}`] };
  }
  return {
    rule: { priority: Number(entry.priority), policy: text(entry.policy), peers, services },
    problems,
  };
}

/** With several peers in one rule the cloud lets one win silently, so such a rule is not read. */
function peersOf(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  stack: TerraformStackJson,
): Peers {
  const given = ['cidr_ip', 'source_group_id', 'prefix_list_id'].filter(
    (name) => entry[name] !== undefined && entry[name] !== '',
  );
  const [name] = given;
  if (given.length !== 1 || name === undefined) {
    return { peers: [], problems: [`${where} has a rule with ${given.length} peers, not 1`] };
  }
  const value = entry[name];
  if (name === 'cidr_ip') return addressPeers([value], where);
  if (name === 'source_group_id') {
    return { peers: [{ kind: 'group', name: text(value) }], problems: [] };
  }
  const entriesOf = {
    volcenginecc_vpc_prefix_list: ({ body }: { body: Readonly<Record<string, unknown>> }) =>
      members(body.prefix_list_entries, 'cidr'),
  };
  return listedPeers(value, stack, entriesOf, where);
}

function readServices(entry: Readonly<Record<string, unknown>>): Services | undefined {
  const { protocol, port_start: first, port_end: last } = entry;
  if (protocol === 'all') return EVERYTHING;
  if (protocol === 'icmp') return servicesOf('icmp', { first: 0, last: 0 });
  const isPorted = (protocol === 'tcp' || protocol === 'udp') && !isUnknown(first);
  if (!isPorted || typeof first !== 'number' || typeof last !== 'number') return undefined;
  return first === -1 && last === -1
    ? servicesOf(protocol, { first: 0, last: 65535 })
    : servicesOf(protocol, { first, last });
}

/**
 * Lower priorities first, `drop` before `accept` at equal ones. What no rule decides is closed
 * inward. Outward it counts as open in both families where a rule accepts anything; drops alone open
 * nothing. Without any rule the cloud's own stand: everything outward, and the members among each other.
 */
function decided(
  rules: readonly Permission[],
  direction: 'ingress' | 'egress',
  group: string,
): Pick<Opening, 'direction' | 'peer' | 'services'>[] {
  const open = new Accepted();
  for (const priority of [...new Set(rules.map((rule) => rule.priority))].sort((a, b) => a - b)) {
    const alike = rules.filter((rule) => rule.priority === priority);
    open.decide(
      alike.filter(({ policy }) => policy === 'drop'),
      false,
    );
    open.decide(
      alike.filter(({ policy }) => policy === 'accept'),
      true,
    );
  }
  const isOpenOutward = rules.length === 0 || rules.some(({ policy }) => policy === 'accept');
  if (direction === 'egress' && isOpenOutward) open.decide([acceptFrom(EVERYONE)], true);
  if (direction === 'ingress' && rules.length === 0) {
    open.decide([acceptFrom([{ kind: 'group', name: group }])], true);
  }
  return open.peers().map((opening) => ({ ...opening, direction }));
}

const EVERYONE = [cidrPeer('0.0.0.0/0'), cidrPeer('::/0')];

function acceptFrom(peers: readonly ReviewedPeer[]): Permission {
  return { priority: Number.POSITIVE_INFINITY, policy: 'accept', peers, services: EVERYTHING };
}

class Accepted {
  readonly #cells = new Map<string, { cell: Cell; accepted: OpenRanges; decided: OpenRanges }>();

  decide(rules: readonly Permission[], isAccept: boolean): void {
    const packets = rules.flatMap(({ peers, services }) =>
      peers.map((peer) => ({ ...NOBODY, peer, services })),
    );
    for (const [key, cell] of regionOf(packets)) {
      const before = this.#cells.get(key) ?? { cell, accepted: [], decided: [] };
      const fresh = combine(cell.ranges, before.decided, subtract);
      this.#cells.set(key, {
        cell,
        accepted: isAccept ? combine(before.accepted, fresh, union) : before.accepted,
        decided: combine(before.decided, fresh, union),
      });
    }
  }

  peers(): Pick<Opening, 'peer' | 'services'>[] {
    return [...this.#cells.values()].flatMap(({ cell: { peer }, accepted }) =>
      accepted.map(({ first, last, services }) => ({
        peer: peer.kind === 'addresses' ? { ...peer, first, last } : peer,
        services,
      })),
    );
  }
}

const NOBODY = { stack: '', via: '', direction: '', subject: '', reason: '', unknown: [] } as const;

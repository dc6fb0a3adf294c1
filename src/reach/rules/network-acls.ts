import { cidrPeer, type Verdict } from '../packet-rule.js';
import { type Json, list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { EVERYTHING, readPorts, type Services, toServices } from '../sets/services.js';
import { EVERYONE } from './peers.js';
import type { Reading, ResourceIndex, RuleList } from './reading.js';
import { toNumber } from './reading.js';

/** The first position of the entries that every network ACL has at its end. */
const DEFAULTS = 1_000;

/**
 * The lists that guard subnets. They open nothing, and stop what a group lets through. The API gives
 * the entries of an ACL without their order, so that all of them stand at one position.
 */
export function readNetworkAcls(index: ResourceIndex): Reading {
  const acls = index.ofType('volcenginecc_vpc_network_acl');
  return {
    lists: acls.flatMap((acl) =>
      (['ingress', 'egress'] as const).map((direction) => readAcl(acl, direction)),
    ),
  };
}

function readAcl({ address, body }: TerraformResource, direction: RuleList['direction']): RuleList {
  const own = list(body[`${direction}_acl_entries`]).map(object);
  const defaults = list(body[`default_${direction}_acl_entries`]).map(object);
  const common = { peers: EVERYONE, services: EVERYTHING, resource: address };
  return {
    kind: 'acl',
    carrier: `network ACL ${address}`,
    direction,
    rules: [
      ...own.flatMap((entry) => readEntry(entry, 1, address)),
      ...defaults.flatMap((entry) =>
        readEntry(entry, DEFAULTS + (toNumber(entry.priority) ?? 0), address),
      ),
      {
        ...common,
        priority: Number.POSITIVE_INFINITY,
        isAccept: true,
        text: 'what no entry decides',
        assumes: 'network-acl-order',
      },
    ],
  };
}

/** An entry that is not understood may accept or drop anything. */
function readEntry(entry: Json, priority: number, resource: string): Verdict[] {
  const peer = cidrPeer(text(entry.cidr_ip));
  const services = readServices(entry);
  const said = `${text(entry.policy)} ${text(entry.protocol)} ${text(entry.port)}, ${text(entry.cidr_ip)}: ${text(entry.description)}`;
  const isKnown = entry.policy === 'accept' || entry.policy === 'drop';
  if (isKnown && peer.kind === 'addresses' && services !== undefined) {
    const isAccept = entry.policy === 'accept';
    return [{ priority, isAccept, peers: [peer], services, resource, text: said }];
  }
  const common = { priority, peers: EVERYONE, services: EVERYTHING, resource };
  const unclear = `${said} (not understood)`;
  return [
    { ...common, isAccept: true, text: unclear },
    { ...common, isAccept: false, text: unclear },
  ];
}

/** Ports are written as `80/90`, and -1 where the protocol has none. */
function readServices({ protocol, port }: Json): Services | undefined {
  if (protocol === 'all') return EVERYTHING;
  if (protocol === 'icmp') return toServices('icmp');
  if (protocol !== 'tcp' && protocol !== 'udp') return undefined;
  if (/^-1(?:\/-1)?$/.test(text(port))) return toServices(protocol);
  const [, first, last] = /^(\d+)(?:[/-](\d+))?$/.exec(text(port)) ?? [];
  return first === undefined
    ? undefined
    : readPorts(protocol, Number(first), Number(last ?? first));
}

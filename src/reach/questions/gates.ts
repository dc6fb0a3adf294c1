import type { Verdict } from '../packet-rule.js';
import { isUnknown, list, object, text } from '../read/json.js';
import type { TerraformResource } from '../read/terraform-json.js';
import { EVERYONE } from '../rules/peers.js';
import { type ResourceIndex, type RuleList, toNumber } from '../rules/reading.js';
import { EVERYTHING } from '../sets/services.js';
import type { Gates } from './door.js';

/** Finds the connection of an endpoint, and the servers behind a listener, as far as a source has them. */
export function findGates({ carrier, direction, rules }: RuleList, index: ResourceIndex): Gates {
  if (direction === 'egress') return { before: [], after: [] };
  const endpoint = index.at(carrier);
  const listeners = [...new Set(rules.map(({ resource }) => resource))].flatMap(
    (address) => index.at(address) ?? [],
  );
  return {
    before: endpoint === undefined ? [] : connectionGate(endpoint),
    after: listeners.flatMap((listener) => backendGate(listener, index)),
  };
}

/** Without a connection that both sides want, packets to an endpoint go nowhere. */
const UNCONNECTED = [
  'PendingAcceptance',
  'Connecting',
  'Disconnecting',
  'Rejected',
  'Failed',
  'ServiceDeleted',
];

/** No configuration has the state of a connection: the cloud and Terraform's states do. */
function connectionGate({ address, type, body }: TerraformResource): RuleList[] {
  const status = text(body.connection_status);
  if (type !== 'volcenginecc_privatelink_vpc_endpoint') return [];
  if (status === 'Connected') return [makeGate(address, true, 'the connection is accepted')];
  if (!UNCONNECTED.includes(status)) return [];
  return [makeGate(address, false, `the endpoint's connection is not accepted: ${status}`)];
}

/** So many servers are named. */
const MAX_NAMED = 3;

/** A group that states no servers may have some that were added elsewhere. */
function backendGate({ type, body }: TerraformResource, index: ResourceIndex): RuleList[] {
  const group =
    type === 'volcenginecc_clb_listener' ? index.named(body.server_group_id) : undefined;
  if (group?.body.servers === undefined || isUnknown(group.body.servers)) return [];
  const servers = list(group.body.servers)
    .map(object)
    .filter(({ weight = 0 }) => toNumber(weight) !== 0)
    .map(({ ip, instance_id: id, port }) => `${text(ip) || text(id)}:${text(port)}`);
  const more = servers.length > MAX_NAMED ? ` and ${servers.length - MAX_NAMED} more` : '';
  const said = `calls go to ${servers.slice(0, MAX_NAMED).join(', ')}${more}`;
  const isServed = servers.length > 0;
  return [
    makeGate(
      group.address,
      isServed,
      isServed ? said : "the listener's backend group has no server",
    ),
  ];
}

/** A list of one rule, for all packets. */
export function makeGate(carrier: string, isAccept: boolean, said: string): RuleList {
  const rule: Verdict = {
    ...{ priority: 1, isAccept, peers: EVERYONE, services: EVERYTHING },
    ...{ resource: carrier, text: said },
  };
  return { kind: 'gate', carrier, direction: 'ingress', rules: [rule] };
}

import { identifierReference, resourceOf } from '../read/address.js';
import { isUnknown, type Json, list, object, text } from '../read/json.js';
import { type ResourceIndex, type RuleList, toNumber } from '../rules/reading.js';
import { readPorts, type Services, servicesText, toServices, union } from '../sets/services.js';
import { subnetsOfServer } from './acls.js';
import type { Backend, Server } from './door.js';
import { addressOrId } from './resolve-name.js';

/** Finds the servers that a listener sends calls to; those without a weight get none. */
export function findBackend(
  { kind, rules: [rule] }: RuleList,
  index: ResourceIndex,
  outputs: Json = {},
): Backend | undefined {
  const listener = kind === 'listener' ? index.at(rule?.resource ?? '') : undefined;
  const group = index.named(listener?.body.server_group_id);
  if (group === undefined) return undefined;
  const { servers } = group.body;
  const balancer = index.named(listener?.body.load_balancer_id)?.body ?? {};
  const isStated = servers !== undefined && !isUnknown(servers);
  const called = list(servers)
    .map(object)
    .filter(({ weight = 0 }) => toNumber(weight) !== 0)
    .map((server) => readServer(server, listener?.body ?? {}, balancer, index, outputs));
  return { group: group.address, servers: isStated ? called : undefined };
}

const INTERFACE = 'volcenginecc_vpc_eni';

function readServer(
  server: Json,
  listener: Json,
  balancer: Json,
  index: ResourceIndex,
  outputs: Json,
): Server {
  const { ip, instance_id: id, port } = server;
  const number = toNumber(port);
  const checked = checkedPort(listener);
  const interfaces = index
    .ofType(INTERFACE)
    .filter(
      ({ address, body }) =>
        index.named(id)?.address === address ||
        (text(ip) !== '' && object(body.primary_ip_address).private_ip_address === ip),
    );
  return {
    name: `${text(ip) || text(id)}:${text(port)}${checked.length === 0 ? '' : `, looked after on ${servicesText(checked)}`}`,
    services: union(readPorts('tcp', number, number) ?? toServices('tcp'), checked),
    interfaces: interfaces.map(({ address }) => address),
    subnets: subnetsOfServer(text(ip), interfaces, balancer, index),
    groups: attachedGroups(server, index, outputs),
  };
}

/** The port on which a load balancer looks after servers, where it is not the one that it calls. */
function checkedPort({ health_check: check }: Json): Services {
  const { enabled, port } = object(check);
  const number = toNumber(port) ?? 0;
  return enabled === 'off' || number === 0 ? [] : (readPorts('tcp', number, number) ?? []);
}

/** The groups that outputs name beside each load balancer which sends calls to a server: it has all of them. */
function attachedGroups({ ip, instance_id: id }: Json, index: ResourceIndex, outputs: Json) {
  const isIt = (other: Json) => other.ip === ip && other.instance_id === id;
  const balancers = index
    .ofType('volcenginecc_clb_server_group')
    .filter(({ body }) => list(body.servers).map(object).some(isIt))
    .map(({ body }) => addressOrId(body.load_balancer_id));
  const groups = Object.entries(outputs).flatMap(([output, balancer]) => {
    const [, name] = /^(.+)-load-balancer-id$/.exec(output) ?? [];
    if (name === undefined || !balancers.includes(addressOrId(object(balancer).value))) return [];
    const group = object(outputs[`${name}-backend-security-group-id`]).value;
    // Of a resource that stands for its instances it is not known which rules theirs are.
    const address = identifierReference(group)?.address;
    const isOfMany = (one: string) => !index.at(one) && index.at(resourceOf(one)) !== undefined;
    return address === undefined || isOfMany(address) ? [] : address;
  });
  return groups.length === 0 ? undefined : groups;
}

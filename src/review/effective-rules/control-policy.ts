import {
  list,
  type TerraformResource,
  type TerraformStackJson,
  text,
} from '../read/terraform-json.js';
import { EVERYTHING, type Services, servicesOf } from '../sets/services.js';
import { addressPeers, listedPeers, members, type Peers } from './read-peers.js';
import type { Reader } from './reading.js';

/** What a policy of Cloud Firewall lets through. A denying one opens nothing. */
export const controlPolicy: Reader = (resource, stack) => {
  const { address, body } = resource;
  if (body.action === 'deny' || body.status === false) return { openings: [], problems: [] };
  const isOut = body.direction === 'out';
  const services = readServices(resource);
  if (body.action !== 'accept' || services === undefined) {
    return { openings: [], problems: [`${address} has an action or a port that cannot be read`] };
  }
  const { peers, problems } = peersOf(resource, isOut ? 'destination' : 'source', stack);
  return {
    openings: peers.map((peer) => ({
      resource: address,
      direction: isOut ? 'egress' : 'ingress',
      peer,
      services,
    })),
    problems,
  };
};

function peersOf(
  { address, body }: TerraformResource,
  side: 'source' | 'destination',
  stack: TerraformStackJson,
): Peers {
  const value = body[side];
  switch (body[`${side}_type`]) {
    case 'net':
      return addressPeers(text(value).split(','), address);
    case 'group':
      return listedPeers(value, stack, ENTRIES, address);
    default:
      return {
        peers: [],
        problems: [`${address} has a \`${side}\` that is not made of addresses`],
      };
  }
}

const ENTRIES = {
  volcenginecc_fwcenter_address_book: ({ body }: TerraformResource) => [
    ...list(body.address_list),
    ...members(body.address_detail_list, 'address'),
  ],
};

function readServices({ body }: TerraformResource): Services | undefined {
  const [, first, last] = /^(\d+)(?:\/(\d+))?$/.exec(text(body.dest_port)) ?? [];
  switch (body.proto) {
    case 'ANY':
      return EVERYTHING;
    case 'ICMP':
      return servicesOf('icmp', { first: 0, last: 0 });
    case 'TCP':
    case 'UDP':
      return first === undefined
        ? undefined
        : servicesOf(body.proto === 'TCP' ? 'tcp' : 'udp', {
            first: Number(first),
            last: Number(last ?? first),
          });
    default:
      return undefined;
  }
}

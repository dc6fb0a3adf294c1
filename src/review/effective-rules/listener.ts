import { list } from '../read/terraform-json.js';
import { cidrPeer } from '../reviewed-rule.js';
import { servicesOf } from '../sets/services.js';
import { listedPeers, members } from './read-peers.js';
import type { Reader } from './reading.js';

/** A listener's port, open to the members of its white lists; without one, to every address. */
export const listener: Reader = ({ address, body }, stack) => {
  const { port } = body;
  const protocol = PROTOCOLS[String(body.protocol)];
  if (typeof port !== 'number' || protocol === undefined) {
    return { openings: [], problems: [`${address} has a port or protocol that is not known`] };
  }
  if (body.enabled === 'off') return { openings: [], problems: [] };
  const services = servicesOf(protocol, { first: port, last: port });
  const isRestricted = body.acl_status === 'on' && body.acl_type === 'white';
  const lists = isRestricted ? list(body.acl_ids) : [];
  const read = lists.map((id) => listedPeers(id, stack, ENTRIES, address));
  const peers = isRestricted ? read.flatMap((one) => one.peers) : [cidrPeer('0.0.0.0/0')];
  return {
    openings: peers.map((peer) => ({
      resource: address,
      direction: 'ingress',
      peer,
      services,
    })),
    problems: read.flatMap(({ problems }) => problems),
  };
};

const PROTOCOLS: Readonly<Record<string, 'tcp' | 'udp'>> = {
  TCP: 'tcp',
  UDP: 'udp',
  HTTP: 'tcp',
  HTTPS: 'tcp',
};

const ENTRIES = {
  volcenginecc_clb_acl: ({ body }: { body: Readonly<Record<string, unknown>> }) =>
    members(body.acl_entries, 'entry'),
};

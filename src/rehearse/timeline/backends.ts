import { clbServerGroup } from '../../cloud/table/clb.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { LINK_NETWORK } from '../../net/cidr.js';
import { cidrPeer } from '../../reach/packet-rule.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import { type Services, subtract, toServices, union } from '../../reach/sets/services.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';

/** A server group that sends calls to a port. */
export interface BackendPort {
  readonly serverGroup: string;
  readonly port: number;
}

/** Returns what groups certainly let load balancers call behind them. */
export function openToBalancers(flows: readonly EffectiveFlow[]): Services {
  const all = cidrPeer(LINK_NETWORK);
  return flows
    .filter(({ carrier, direction, peer }) => {
      if (direction !== 'ingress' || !carrier.startsWith(vpcSecurityGroup.type)) return false;
      if (peer.kind !== 'addresses' || all.kind !== 'addresses') return false;
      return peer.family === 4 && peer.first <= all.first && all.last <= peer.last;
    })
    .reduce<Services>((open, { services }) => union(open, services), []);
}

/**
 * Finds after each state the ports that a server group sends calls to and that no group lets load balancers
 * call; only of server groups that groups let be called at first, for others are guarded elsewhere.
 */
export function closedBackends(
  states: readonly CloudState[],
  open: readonly Services[],
): readonly (readonly BackendPort[])[] {
  const closed = states.map((state, i) =>
    portsIn(state).filter(({ port }) => {
      const wanted = toServices('tcp', { first: port, last: port });
      return subtract(wanted, open[i] ?? []).length > 0;
    }),
  );
  const [first] = states;
  const groupsOf = (ports: readonly BackendPort[] = []) =>
    new Set(ports.map(({ serverGroup }) => serverGroup));
  const [known, unguarded] = [groupsOf(first && portsIn(first)), groupsOf(closed[0])];
  return closed.map((ports) =>
    ports.filter(({ serverGroup }) => known.has(serverGroup) && !unguarded.has(serverGroup)),
  );
}

function portsIn(cloud: CloudState): BackendPort[] {
  return listResources(cloud, clbServerGroup).flatMap((group) =>
    readObjects(group, 'Servers')
      .filter(({ Weight }) => Number(Weight) > 0)
      .map(({ Port }) => ({ serverGroup: readText(group, 'ServerGroupId'), port: Number(Port) })),
  );
}

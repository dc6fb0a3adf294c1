import { clbClb, clbServerGroup } from '../../cloud/table/clb.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { toName } from '../../reach/read/cloud-state.js';
import type { Way } from '../../reach/ways/door.js';
import { everyPacket, passUnderDoubt } from '../../reach/ways/pass.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';

/** A server group whose calls fail. */
export interface ClosedBackend {
  /** Its address in the ways. */
  readonly serverGroup: string;
  readonly why: string;
  /** True where they get to one under some answers to what is in doubt. */
  readonly isUnclear: boolean;
}

/** Finds after each state the server groups whose calls get to no server, of those whose calls did at first. */
export function closedBackends(
  states: readonly { readonly ways: readonly Way[] }[],
): readonly (readonly ClosedBackend[])[] {
  const gates = states.map(({ ways }) =>
    ways
      .flatMap(({ series }) => series)
      .filter(({ list: { kind, carrier } }) => kind === 'gate' && carrier.startsWith(TYPE))
      .map((door) => {
        const { least, most } = passUnderDoubt([door], everyPacket(4));
        const isOpen = least.length > 0;
        const why = door.list.rules.find(({ isAccept }) => !isAccept)?.text ?? '';
        return { serverGroup: door.list.carrier, isOpen, why, isUnclear: most.length > 0 };
      }),
  );
  const first = gates[0]?.filter(({ isOpen }) => isOpen) ?? [];
  const open = new Set(first.map(({ serverGroup }) => serverGroup));
  return gates.map((all) => all.filter((one) => !one.isOpen && open.has(one.serverGroup)));
}

const TYPE = `${clbServerGroup.type}.`;

/** Writes which groups the servers behind load balancers have, as outputs of a stack. */
export function backendOutputs({ backendGroups = new Map() }: Pick<ServiceNames, 'backendGroups'>) {
  const outputs = [...backendGroups].flatMap(([balancer, group], i) => [
    [`${i}-load-balancer-id`, `\${${clbClb.type}.${toName(balancer)}.id}`] as const,
    [`${i}-backend-security-group-id`, `\${${vpcSecurityGroup.type}.${toName(group)}.id}`] as const,
  ]);
  return Object.fromEntries(outputs.map(([name, value]) => [name, { value }]));
}

import { clbServerGroup } from '../../cloud/table/clb.js';
import type { Reached } from '../../reach/questions/doors.js';
import { everyPacket, passUnderDoubt } from '../../reach/questions/pass.js';

/** A server group whose calls fail. */
export interface ClosedBackend {
  /** Its address in the ways. */
  readonly serverGroup: string;
  readonly why: string;
}

/** Finds after each state the server groups whose calls get to no server, of those whose calls did at first. */
export function closedBackends(
  states: readonly Pick<Reached, 'ways'>[],
): readonly (readonly ClosedBackend[])[] {
  const gates = states.map(({ ways }) =>
    ways
      .flatMap(({ series }) => series)
      .filter(({ list: { kind, carrier } }) => kind === 'gate' && carrier.startsWith(TYPE))
      .map((door) => {
        const isOpen = passUnderDoubt([door], everyPacket(4)).least.length > 0;
        const why = door.list.rules.find(({ isAccept }) => !isAccept)?.text ?? '';
        return { serverGroup: door.list.carrier, isOpen, why };
      }),
  );
  const first = gates[0]?.filter(({ isOpen }) => isOpen) ?? [];
  const open = new Set(first.map(({ serverGroup }) => serverGroup));
  return gates.map((all) => all.filter((one) => !one.isOpen && open.has(one.serverGroup)));
}

const TYPE = `${clbServerGroup.type}.`;

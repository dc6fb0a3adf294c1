import { clbServerGroup } from '../../cloud/table/clb.js';
import { passUnderDoubt } from '../../reach/ways/bounds.js';
import type { Way } from '../../reach/ways/door.js';
import type { Reached } from '../../reach/ways/doors.js';
import { everyPacket } from '../../reach/ways/pass.js';

/** A server group whose calls fail, or do not get to some of its servers. */
export interface ClosedBackend {
  /** Its address in the ways. */
  readonly serverGroup: string;
  readonly why: string;
  /** True where they get to one under some answers to what is in doubt. */
  readonly isUnclear: boolean;
  readonly isPartial: boolean;
}

/** Finds after each state the server groups whose calls get to no server, or not to one that they got to at first. */
export function closedBackends(
  states: readonly { readonly ways: readonly Way[] }[],
): readonly (readonly ClosedBackend[])[] {
  const gates = states.map(({ ways }) =>
    ways
      .flatMap(({ series }) => series)
      .filter(({ list: { kind, carrier } }) => kind === 'gate' && carrier.startsWith(TYPE))
      .map((door) => {
        const { least, most } = passUnderDoubt([door], everyPacket(4));
        const closed = new Set(door.closedServers?.map(({ name }) => name));
        const called = door.backend?.servers?.filter(({ name }) => !closed.has(name)) ?? [];
        return {
          ...{ door, serverGroup: door.list.carrier, isOpen: least.length > 0 },
          why: door.list.rules.find(({ isAccept }) => !isAccept)?.text ?? '',
          isUnclear: most.length > 0,
          hosts: called.map(({ name }) => hostOf(name)),
        };
      }),
  );
  const first = gates[0]?.filter(({ isOpen }) => isOpen) ?? [];
  const open = new Map(first.map(({ serverGroup, hosts }) => [serverGroup, new Set(hosts)]));
  return gates.map((all) =>
    all.flatMap(({ door, isOpen, hosts: _, ...one }): ClosedBackend[] => {
      const before = open.get(one.serverGroup);
      if (before === undefined) return [];
      if (!isOpen) return [{ ...one, isPartial: false }];
      const lost = (door.closedServers ?? []).filter(({ name }) => before.has(hostOf(name)));
      const why = [...new Set(lost.map((server) => server.why))].join(', ');
      return lost.length === 0 ? [] : [{ ...one, why, isUnclear: false, isPartial: true }];
    }),
  );
}

/** The address of a server, whatever its port. */
function hostOf(name: string): string {
  return name.replace(/:\d+(?:,.*)?$/, '');
}

const TYPE = `${clbServerGroup.type}.`;

/** A name that leads clients of a VPC to an endpoint. */
export interface BoundName {
  readonly name: string;
  readonly vpc: string;
  /** True in the endpoint's own VPC, whose clients the lane of the link follows. */
  readonly isOwn: boolean;
}

/** Finds in each state the names of the first that no longer lead clients of some VPC to an endpoint, and others still. */
export function lostNames(
  states: readonly Pick<Reached, 'ways'>[],
): readonly (readonly BoundName[])[] {
  const bound = states.map(boundNames);
  const [first = []] = bound;
  return bound.map((own) =>
    first.filter(
      ({ name, vpc, isOwn }) =>
        !isOwn &&
        own.some((one) => one.name === name) &&
        !own.some((one) => one.name === name && one.vpc === vpc),
    ),
  );
}

function boundNames({ ways }: Pick<Reached, 'ways'>): BoundName[] {
  return ways
    .filter(({ direction }) => direction === 'ingress')
    .flatMap((way) =>
      way.hosts
        .filter(({ isDisabled }) => !isDisabled)
        .flatMap(({ name, vpcs }) => vpcs.map((vpc) => ({ name, vpc, isOwn: vpc === way.vpc }))),
    );
}

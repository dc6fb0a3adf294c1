import { formatAddress } from '../net/address.js';
import { pickOne } from '../reach/sets/sample.js';
import { intersect, toServices } from '../reach/sets/services.js';
import { accessChanges } from '../review/changes/access-changes.js';
import { type Change, packetText } from '../review/packet-changes.js';
import { followMoves, reviewedTree } from '../review/stacks/reviewed-trees.js';
import type { CloudState } from '../sandbox/cloud/cloud-state.js';
import { route } from '../sandbox/network/world.js';
import { dial, dialAll, findDoor, type NamedCall, SILENT } from './dial-intents.js';
import type { RehearsedTree } from './read-trees.js';
import type { Probe } from './report-schema.js';
import type { Stage } from './stage/stage.js';
import { toWorld } from './ways/link-way.js';

/** The limit of packets of a review that are sent. */
const MAX_SENT = 10;

/**
 * Sends the packets that a review of the two trees names, before the first step and after the last, from their
 * own addresses. All that decides is read at the call: the sandbox may go on.
 *
 * @param clouds before the deploy, and after it
 */
export function probeChanges(
  { sandbox, service }: Stage,
  trees: readonly [RehearsedTree, RehearsedTree],
  clouds: readonly [CloudState, CloudState],
): Promise<Probe[]> {
  const dials = namedCalls(...trees)
    .slice(0, MAX_SENT)
    .flatMap(([packet, call]) => {
      const found = findDoor(call, clouds);
      if (found === undefined) return [];
      const { from, ...door } = found;
      return clouds.map((cloud, i) => {
        const world = toWorld(cloud, service);
        const isOpen = route(world, { from, to: door.host, port: door.port }) === 'open';
        const connectTo = sandbox.leads(cloud, from);
        const link = `${packet}, ${i === 0 ? 'before the deploy' : 'after it'}`;
        return async (): Promise<Probe> => {
          const seen = await dial(connectTo, door, isOpen);
          return { link, seen, from, agrees: (seen !== SILENT) === isOpen };
        };
      });
    });
  return dialAll(dials);
}

/** A call of each change, by the packet that the review names. */
function namedCalls(from: RehearsedTree, to: RehearsedTree): [packet: string, call: NamedCall][] {
  const byName = (tree: RehearsedTree) => new Map(tree.map((stack) => [stack.name, stack]));
  const [base, head] = [byName(from), byName(to)];
  const changes = accessChanges(reviewedTree(followMoves(base, head)), reviewedTree(head));
  const calls = changes.flatMap((change) => {
    const [packet, call] = [packetText(change), callOf(change)];
    return packet === undefined || call === undefined ? [] : [[packet, call] as const];
  });
  return [...new Map(calls)];
}

/** A call out of the set of a change; the sandbox has doors for TCP over IPv4 alone. */
function callOf({ direction, subject, at: { peer, range } }: Change): NamedCall | undefined {
  if (direction !== 'ingress' || peer.kind !== 'addresses' || peer.family !== 4) return undefined;
  const one = pickOne(4, [{ ...range, services: intersect(range.services, toServices('tcp')) }]);
  const [span] = one.services;
  // Tcp has the first block of numbers, so its ports are its numbers.
  return (
    span && {
      from: formatAddress({ ...one.peer, value: one.peer.first }),
      subject,
      port: span.first,
    }
  );
}

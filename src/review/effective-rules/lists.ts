import { references } from '../read/terraform-json.js';
import type { ReviewedPeer } from '../reviewed-rule.js';
import { EVERYTHING } from '../sets/services.js';
import type { EffectiveFlow, Reading, ResourceIndex } from './effective-flow.js';
import { readList } from './peers.js';

/** Lists that nothing in the tree names decide for whoever names them elsewhere. */
export function readUnusedLists(index: ResourceIndex): Reading {
  const used = new Set(references(index.all.map(({ body }) => body)));
  const lists = index.all.flatMap((resource) => {
    const read = resource.kind === 'resource' ? readList(resource) : undefined;
    const isUsed = used.has(resource.address);
    return read === undefined ? [] : [{ address: resource.address, read, isUsed }];
  });
  return {
    flows: lists
      .filter(({ isUsed }) => !isUsed)
      .flatMap(({ address, read: { peers } }) => listFlows(address, peers)),
    unread: lists.flatMap(({ read }) => read.unread),
  };
}

const USERS = 'whoever uses ';

function listFlows(resource: string, peers: readonly ReviewedPeer[]): EffectiveFlow[] {
  const common = { kind: 'list', direction: 'ingress', services: EVERYTHING } as const;
  return peers.map((peer) => ({ ...common, carrier: `${USERS}${resource}`, peer, resource }));
}

/** What a list holds for whoever uses it elsewhere; nothing where there is no such list. */
export function readListAlone(carrier: string, index: ResourceIndex): EffectiveFlow[] {
  const list = index.at(carrier.startsWith(USERS) ? carrier.slice(USERS.length) : '');
  return list === undefined ? [] : listFlows(list.address, readList(list)?.peers ?? []);
}

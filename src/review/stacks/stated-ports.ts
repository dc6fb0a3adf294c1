import { groupBy } from '../../lists/group-by.js';
import { type PacketRule, packetRule } from '../../reach/packet-rule.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import { isEverything, type Services, union } from '../../reach/sets/services.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';
import { isElsewhere } from './reviewed-trees.js';

/** The ports of a subject that no resource of its stack has: calls go where the access rules say. */
export interface StatedPorts {
  readonly subject: string;
  readonly services: Services;
  /** Terraform's address of the endpoint service; undefined where something else enforces the rules. */
  readonly service: string | undefined;
  /** Tells whether anybody calls already: an endpoint service without a connection nobody does. */
  readonly isCalled: boolean;
}

/**
 * Finds the ports that access rules alone state: a private link leads to a load balancer that exists, whose listeners
 * are in no tree, or something else than Terraform enforces them.
 *
 * @returns by endpoint service, else by the names that the rules are stated for
 */
export function readStatedPorts(stack: SynthesizedStack): ReadonlyMap<string, StatedPorts> {
  const links = readEffectiveAccess(stack.terraform).flows.filter(
    ({ kind, services }) => kind === 'link' && isEverything(services),
  );
  const stated = (stack.access?.rules ?? [])
    .map((rule) => packetRule(stack.name, rule, new Set()))
    .filter(({ direction }) => direction === 'ingress')
    .map((rule) => ({ rule, by: carriersOf(rule, links) }))
    .filter(({ rule, by }) => by.length > 0 || isElsewhere(rule));
  const alike = groupBy(
    stated,
    ({ rule: { via, subject }, by: [link] }) => link?.carrier ?? JSON.stringify([via, subject]),
  );
  return new Map(
    [...alike].map(([key, all]): [string, StatedPorts] => {
      const [{ rule, by }] = all;
      const services = all.map((one) => one.rule.services).reduce(union);
      const isCalled = all.some((one) => one.rule.peer.kind !== 'account');
      return [key, { subject: rule.subject, services, service: by[0]?.carrier, isCalled }];
    }),
  );
}

function carriersOf({ peer, carriers }: PacketRule, links: readonly EffectiveFlow[]) {
  if (peer.kind !== 'account' && peer.kind !== 'endpoint') return [];
  return links.filter(
    ({ carrier, resource }) => carriers?.some((one) => one === carrier || one === resource) ?? true,
  );
}

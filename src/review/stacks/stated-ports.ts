import { groupBy } from '../../lists/group-by.js';
import { type PacketRule, packetRule } from '../../reach/packet-rule.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import type { EffectiveFlow } from '../../reach/rules/reading.js';
import { isEverything, type Services, union } from '../../reach/sets/services.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';

/** The ports of a load balancer that no resource of its stack has: calls go where the access rules say. */
export interface StatedPorts {
  readonly subject: string;
  readonly services: Services;
  /** Tells whether anybody calls already: an endpoint service without a connection nobody does. */
  readonly isCalled: boolean;
}

/**
 * Finds the ports that access rules alone state: a private link leads to a load balancer that exists, whose listeners
 * are in no tree.
 *
 * @returns by Terraform's address of the endpoint service
 */
export function readStatedPorts(stack: SynthesizedStack): ReadonlyMap<string, StatedPorts> {
  const links = readEffectiveAccess(stack.terraform).flows.filter(
    ({ kind, services }) => kind === 'link' && isEverything(services),
  );
  const stated = (stack.access?.rules ?? [])
    .map((rule) => packetRule(stack.name, rule, new Set()))
    .flatMap((rule) => {
      const service = carrierOf(rule, links);
      return service === undefined ? [] : { rule, service };
    });
  return new Map(
    [...groupBy(stated, ({ service }) => service)].map(([service, all]): [string, StatedPorts] => {
      const services = all.map(({ rule }) => rule.services).reduce(union);
      const isCalled = all.some(({ rule }) => rule.peer.kind === 'endpoint');
      return [service, { subject: all[0].rule.subject, services, isCalled }];
    }),
  );
}

function carrierOf({ peer, carriers }: PacketRule, links: readonly EffectiveFlow[]) {
  if (peer.kind !== 'account' && peer.kind !== 'endpoint') return undefined;
  const isNamed = ({ carrier, resource }: EffectiveFlow) =>
    carriers?.some((one) => one === carrier || one === resource) ?? true;
  return links.find(isNamed)?.carrier;
}

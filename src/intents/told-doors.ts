import type { TreeIntents } from './intents-file.js';

/** An access rule, as far as the check is told of it. */
interface ToldRule {
  readonly subject: string;
  readonly via: string;
  readonly direction: string;
  readonly peer: { readonly kind: string; readonly cidr?: unknown };
}

/**
 * Lists what a check of a stack's intents cannot see by itself: the option of each thing, and from where
 * the service calls there.
 *
 * @param rules in the order of `access.json`
 */
export function toldDoors(rules: readonly ToldRule[]): NonNullable<TreeIntents['doors']> {
  const doors = new Map<string, { subject: string; via: string; service: string[] }>();
  for (const { subject, via, direction, peer } of rules) {
    const key = JSON.stringify([subject, via]);
    const door = doors.get(key) ?? { subject, via, service: [] };
    const isCaller = via === 'fixed-ip-ingress' && direction === 'ingress' && peer.kind === 'cidr';
    if (isCaller && typeof peer.cidr === 'string') door.service.push(peer.cidr);
    doors.set(key, door);
  }
  return [...doors.values()];
}

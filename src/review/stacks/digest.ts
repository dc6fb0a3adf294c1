import { createHash } from 'node:crypto';
import type { EffectiveAccess } from '../effective-rules/effective-access.js';
import type { EffectiveFlow } from '../effective-rules/effective-flow.js';
import { regionOf } from '../sets/region.js';

/**
 * SHA-256, hexadecimal, of what Terraform opens and where it ends up: the same for the same access,
 * in whatever words it is written, before a deploy and at it.
 */
export function effectiveDigest({ flows, denied, facts }: EffectiveAccess): string {
  const destinations = facts
    .filter(({ kind, values }) => kind === 'destination' && values.length > 0)
    .map(({ resource, what, values }) => [resource, what, values]);
  const content = [canonical(flows), canonical(denied), destinations.map(toText).sort()];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function canonical(flows: readonly EffectiveFlow[]): string[] {
  const rules = flows.map(({ carrier, direction, peer, services }) => ({
    ...{ stack: '', via: '', subject: carrier, reason: '', unknown: [] },
    carrier,
    direction,
    peer,
    services,
  }));
  return [...regionOf(rules)].map(([key, { ranges }]) => toText([key, ranges])).sort();
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
}

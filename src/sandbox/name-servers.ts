import { startDnsServer } from './dns.js';
import { flipping } from './flipping.js';
import type { Listener } from './listen.js';
import { lookUp } from './names.js';
import type { Stoppables } from './stoppables.js';
import type { World } from './world.js';

/** The DNS server that the sandbox's machine uses, and another one to compare it with. */
export interface NameServers {
  readonly own: Listener;
  readonly other: Listener;
}

/** Starts both; each answers out of the world as it is at that moment. */
export async function startNameServers(
  world: () => World,
  parts: Stoppables,
): Promise<NameServers> {
  const isFlipping = () => world().faults.has('dns-flipping');
  const look = flipping((name) => lookUp(world(), name), isFlipping);
  return {
    own: parts.keep(await startDnsServer(look)),
    other: parts.keep(await startDnsServer((name) => lookUp(world(), name, 'other'))),
  };
}

import { type Lookup, startDnsServer } from '../listeners/dns-server.js';
import type { Listener, StopStack } from '../listeners/listen.js';
import { lookUp } from './names.js';
import type { World } from './world.js';

/** The DNS server that the sandbox's machine uses, and another one to compare it with. */
interface NameServers {
  readonly own: Listener;
  readonly other: Listener;
}

/** Starts both; each answers out of the world as it is at that moment. */
export async function startNameServers(world: () => World, parts: StopStack): Promise<NameServers> {
  const isFlipping = () => world().faults.has('dns-flipping');
  const answer = loseEveryOther((name) => lookUp(world(), name), isFlipping);
  return {
    own: parts.keep(await startDnsServer(answer)),
    other: parts.keep(await startDnsServer((name) => lookUp(world(), name, 'other'))),
  };
}

const NOT_FOUND: Lookup = { outcome: 'not-found', addresses: [] };

/**
 * Makes every other answer of IPv4 addresses, the second first, say that the name does not exist.
 *
 * @param isOn asked at each question
 */
function loseEveryOther(
  answer: (name: string) => Lookup,
  isOn: () => boolean,
): (name: string, type: string) => Lookup {
  let asked = 0;
  return (name, type) => {
    if (!isOn() || type !== 'A') return answer(name);
    asked += 1;
    return asked % 2 === 0 ? NOT_FOUND : answer(name);
  };
}

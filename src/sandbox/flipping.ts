import type { Lookup } from './names.js';

const NOT_FOUND: Lookup = { outcome: 'not-found', addresses: [] };

/**
 * Makes every other answer of IPv4 addresses, the second first, say that the name does not exist.
 *
 * @param isOn asked at each question
 */
export function flipping(
  look: (name: string) => Lookup,
  isOn: () => boolean,
): (name: string, type: string) => Lookup {
  let asked = 0;
  return (name, type) => {
    if (!isOn() || type !== 'A') return look(name);
    asked += 1;
    return asked % 2 === 0 ? NOT_FOUND : look(name);
  };
}

import { cidrsOverlap, parseNetwork } from '../../net/cidr.js';
import { bookEntries, portSpan } from '../../sandbox/cloud/types/firewall.js';
import { type JsonObject, readText } from '../../sandbox/json.js';
import type { Contents } from './compose-state.js';

/** Tells of two firewall policies whether some packet can match both, in whichever of their states. */
export function policiesMeet(contents: Contents): (a: string, b: string) => boolean {
  const statesOf = (id: string) =>
    (contents.get(id) ?? []).flatMap(({ content }) => (content === undefined ? [] : [content]));
  const entriesIn = (policy: JsonObject, side: string) => {
    const value = readText(policy, side);
    if (policy[`${side}Type`] === 'group')
      return statesOf(value).flatMap((book) => bookEntries(book));
    return policy[`${side}Type`] === 'domain' ? undefined : [value];
  };
  const overlap = (a: JsonObject, b: JsonObject) =>
    a.Direction === b.Direction &&
    ['Source', 'Destination'].every((side) =>
      anyOf(entriesIn(a, side), entriesIn(b, side), networksMeet),
    ) &&
    anyOf(entriesIn(a, 'DestPort'), entriesIn(b, 'DestPort'), portsMeet);
  return (a, b) => statesOf(a).some((one) => statesOf(b).some((two) => overlap(one, two)));
}

function anyOf(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
  meet: (one: string, other: string) => boolean,
): boolean {
  if (a === undefined || b === undefined) return true;
  return a.some((one) => b.some((other) => meet(one, other)));
}

/** Tells whether networks overlap; a text that is none, such as a domain in a book, may be anything. */
function networksMeet(a: string, b: string): boolean {
  try {
    return cidrsOverlap(parseNetwork(a), parseNetwork(b));
  } catch {
    return true;
  }
}

/** Without ports a policy is for all of them. */
function portsMeet(a: string, b: string): boolean {
  const [one, two] = [portSpan(a), portSpan(b)];
  return one === undefined || two === undefined || (one[0] <= two[1] && two[0] <= one[1]);
}

/**
 * @typedef {object} Push
 * @property {string | null} from the commit before
 * @property {string | null} to the commit after
 * @property {import('./forge.mjs').Account} [by]
 * @property {boolean} isFirst true if it made the branch
 */

/**
 * Follows the pushes of a branch back to the one that made it.
 *
 * @template T
 * @param {string} head the branch's commit now
 * @param {AsyncIterable<T>} events the newest first
 * @param {(event: T) => Push} toPush
 * @returns {Promise<import('./forge.mjs').Account[] | undefined>} undefined if one is missing, or names nobody
 */
export async function pushersOf(head, events, toPush) {
  const pushers = [];
  let expected = head;
  for await (const event of events) {
    const { from, to, by, isFirst } = toPush(event);
    if (to !== expected || by === undefined) return undefined;
    pushers.push(by);
    if (isFirst) return pushers;
    if (typeof from !== 'string') return undefined;
    expected = from;
  }
  return undefined;
}

import { createHash, type Hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../lists/group-by.js';
import { remember } from '../../lists/remember.js';
import { readStackFolder } from '../../reach/read/stack-folder.js';
import { toStack } from '../../reach/read/terraform-json.js';
import { axisOf, partOf, spanOf, splitOwnSides } from '../../reach/rules/own-sides.js';
import type { EffectiveFlow, RuleList } from '../../reach/rules/reading.js';
import { decideLists } from '../../reach/rules/rule-list.js';
import { compare, type OpenRange } from '../../reach/sets/ranges.js';
import { toRegion } from '../../reach/sets/region.js';
import {
  type EffectiveAccess,
  readEffectiveAccess,
  withFirewalls,
} from '../effective-rules/effective-access.js';

/**
 * SHA-256, hexadecimal, of what Terraform opens and where it ends up: the same for the same access,
 * in whatever words it is written, before a deploy and at it. What is hashed is JSON, written piece
 * by piece, for in one piece it can be longer than a string may be.
 */
export function effectiveDigest(access: EffectiveAccess): string {
  const { flows, alone, denied, facts } = withFirewalls(access, joinOwnSides(access.firewalls));
  const destinations = facts
    .filter(({ kind, values }) => kind === 'destination' && values.length > 0)
    .map(({ resource, what, values }) => JSON.stringify([resource, what, values]));
  const hash = createHash('sha256').update('[');
  addFlows(hash, [...flows, ...alone]);
  hash.update(',');
  addFlows(hash, denied);
  return hash.update(`,${JSON.stringify(destinations.sort())}]`).digest('hex');
}

/**
 * The digest that a review gives for one stack, from the folder that Terraform runs in.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function folderDigest(folder: string): string {
  const { blocks, unread } = readStackFolder(folder, 'the folder of the stack', folder);
  const stack = toStack(blocks, unread);
  return effectiveDigest(readEffectiveAccess(stack));
}

/** A list with a text for each cell of packets. */
function addFlows(hash: Hash, flows: readonly EffectiveFlow[]): void {
  const cells = [...toRegion(flows)]
    .map(([key, { ranges }]) => ({ key: JSON.stringify(key), ranges }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const [i, { key, ranges }] of cells.entries()) {
    hash.update(`${i === 0 ? '[' : ','}"${withinText(`[${key},[`)}`);
    for (const [j, range] of ranges.entries()) {
      hash.update(`${j === 0 ? '' : ','}${rangeWithinText(range)}`);
    }
    hash.update(']]"');
  }
  hash.update(cells.length === 0 ? '[]' : ']');
}

/** Addresses are too large for numbers of JSON. */
function rangeWithinText({ first, last, services }: OpenRange): string {
  const spans = services.map((span) => `{${ends(span)}}`).join();
  return `{${ends({ first, last })},\\"services\\":[${spans}]}`;
}

function ends({ first, last }: Readonly<Record<'first' | 'last', number | bigint>>): string {
  return `\\"first\\":\\"${first}\\",\\"last\\":\\"${last}\\"`;
}

/** Writes JSON as it stands inside a text of JSON. */
function withinText(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** Joins neighbouring own sides whose policies decide alike: in whatever words, the same policies make the same lists. */
function joinOwnSides(firewalls: readonly RuleList[]): RuleList[] {
  const [parts = []] = splitOwnSides([firewalls]);
  const ordered = parts.toSorted((a, b) => compare(spanOf(a).first, spanOf(b).first));
  return [...groupBy(ordered, axisOf).values()].flatMap((all) => {
    const joined: RuleList[] = [];
    for (const part of all) {
      const before = joined.at(-1);
      if (before === undefined || !isAlike(before, part)) joined.push(part);
      else
        joined[joined.length - 1] = partOf(before, { ...spanOf(before), last: spanOf(part).last });
    }
    return joined;
  });
}

function isAlike(a: RuleList, b: RuleList): boolean {
  return spanOf(a).last + 1n === spanOf(b).first && isDeepStrictEqual(decided(a), decided(b));
}

const decided = remember((list: RuleList) => {
  const { flows = [], denied = [] } = decideLists([{ ...list, carrier: '' }], true);
  return [toRegion(flows), toRegion(denied)];
});

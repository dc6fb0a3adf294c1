import { groupBy } from '../lists/group-by.js';
import { type Packets, peerName } from '../reach/packet-rule.js';
import type { Reachability } from '../reach/report-schema.js';
import { RuleLookup } from '../reach/sets/lookup.js';
import { combine, type OpenRange, uniteAll } from '../reach/sets/ranges.js';
import {
  type Cell,
  cellKey,
  type Part,
  packetsId,
  peerOf,
  type Region,
  splitParts,
  toRange,
} from '../reach/sets/region.js';
import { type Services, servicesText, subtract } from '../reach/sets/services.js';
import type { Finding, ReviewReport } from './report-schema.js';

/** Packets that one tree lets through and the other does not. */
export type Change = ReviewReport['changes'][number] & {
  /** Exceptions of the access rules that state it; absent where none does. */
  readonly exception?: string;
  /** The packets as a set, with what lets them through or did. */
  readonly at: Pick<Cell, 'carrier' | 'peer'> & {
    readonly range: OpenRange;
    /** The answer of each tree to whether the packet passes; absent for peers that are known by name alone. */
    readonly answers?: Readonly<Record<'before' | 'after', PacketAnswer>>;
  };
};

/** The answer to whether one packet passes: at the place of a change, and at others of its name. */
export interface PacketAnswer {
  readonly answer: Reachability;
  /** Undefined where the name has no other place. */
  readonly others?: Reachability | undefined;
  /** The carrier of the first door that stops it for certain. */
  readonly stop?: string | undefined;
  /** A sentence on which an undecided answer depends. */
  readonly depends?: string | undefined;
  /** Other packets of the change fare otherwise. */
  readonly isOfSome?: true;
}

/** A set of rules, packet by packet. */
interface Side {
  readonly region: Region;
  readonly rules: readonly Packets[];
}

/** Finds the access rules that state a change; without it a rule states itself. */
type FindStated = (side: 'a' | 'b', part: Part, services: Services) => readonly Packets[];

/** Returns what only one of two sets of rules lets through; `a` is before, `b` is after. */
export function findChanges(
  { a, b }: Readonly<Record<'a' | 'b', Side>>,
  findStated?: FindStated,
): Change[] {
  const lookups = { a: new RuleLookup(a.rules, cellKey), b: new RuleLookup(b.rules, cellKey) };
  const changes: Change[] = [];
  for (const part of splitParts(a.region, b.region)) {
    const opened = subtract(part.pair.b, part.pair.a);
    const closed = subtract(part.pair.a, part.pair.b);
    if (opened.length > 0) changes.push(toChange('widens', part, opened, 'b'));
    if (closed.length > 0) changes.push(toChange('narrows', part, closed, 'a'));
  }
  return changes;

  function toChange(
    effect: Change['effect'],
    part: Part,
    services: Services,
    side: 'a' | 'b',
  ): Change {
    const { key, cell, pair } = part;
    const { stack, via, direction, subject, peer, carrier } = cell;
    const rules = lookups[side].find(key, pair, services);
    const told = direction === 'either' ? listText : servicesText;
    const stated = findStated?.(side, part, services) ?? rules;
    const exception = joined(stated.map((rule) => exceptionText(rule)));
    const range = { first: pair.first, last: pair.last, services };
    const at = { peer, range, ...(carrier !== undefined && { carrier }) };
    return {
      effect,
      stack,
      via,
      direction,
      subject,
      peer: peerName(peerOf(cell, pair)),
      services: direction === 'either' ? 'as those rules say' : servicesText(services),
      was: told(pair.a),
      now: told(pair.b),
      why: joined(stated.map(({ reason = '' }) => reason)),
      through: joined(rules.map(({ resource = '' }) => resource)),
      at,
      ...(peer.kind === 'addresses' && { addresses: String(pair.last - pair.first + 1n) }),
      ...(exception !== '' && { exception }),
    };
  }
}

const IN_LIST = 'in the list';
const NOT_IN_LIST = 'not in the list';

/** Its own rules say what a list is for: it holds a peer, or it does not. */
function listText({ length }: Services): string {
  return length === 0 ? NOT_IN_LIST : IN_LIST;
}

/** Tells whether a row is about the entries of a list. No author of a tree writes the words of this column. */
export function isOfList({ kind, after }: Pick<Finding, 'kind' | 'after'>): boolean {
  return kind === 'access' && [IN_LIST, NOT_IN_LIST].includes(after);
}

/** The same change through several resources is one row that names them all. */
export function mergeCarriers(changes: readonly Change[]): Change[] {
  const alike = groupBy(changes, (change) => {
    const { through: _, addresses: __, at: ___, ...rest } = change;
    return JSON.stringify([rest, changeId(change)]);
  });
  return [...alike.values()].map((same) => {
    const [first] = same;
    return { ...first, through: join('; ', ...new Set(same.map(({ through }) => through))) };
  });
}

/** Finds whether changes that are alike say the same of all packets of one. @param open counts as theirs */
export function toldBy(
  told: readonly Change[],
  keyOf: (change: Change) => string,
  open?: Services,
): (change: Change) => boolean {
  const rows = told.map((row) => {
    const { peer, range } = row.at;
    return { row, peer: peerOf({ peer }, range), services: open ?? range.services };
  });
  const lookup = new RuleLookup(rows, ({ row }) => keyOf(row));
  return (change) => {
    const { range } = change.at;
    const found = lookup.find(keyOf(change), range, range.services).map(toRange);
    return combine([range], uniteAll(found), subtract).length === 0;
  };
}

/** The packets of a change, in numbers. */
export function changeId({
  effect,
  via,
  direction,
  subject,
  at: { peer, range },
}: Change): string[] {
  return [String(effect)].concat(packetsId({ via, direction, subject, peer }, range));
}

/** Writes an exception for people: its end, owner and reason; empty if the rule has none. */
export function exceptionText({ exception }: Pick<Packets, 'exception'>): string {
  if (exception === undefined) return '';
  const { expires, owner, reason } = exception;
  return `until ${expires}, ${owner}: ${reason}`;
}

function joined(texts: readonly string[]): string {
  const [only = '', ...more] = texts;
  return more.length === 0 ? only : join('; ', ...new Set(texts));
}

/** Joins the parts that are there. */
export function join(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}

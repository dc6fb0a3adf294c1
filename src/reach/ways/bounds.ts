import { ASSUMED } from '../semantics.js';
import { combine, meet, type OpenRanges } from '../sets/ranges.js';
import { subtract, union } from '../sets/services.js';
import type { Door } from './door.js';
import { findUses, isMixed, reasonsFor, type Use } from './doubts.js';
import {
  ACCEPTS,
  type Asked,
  type Believed,
  type Decision,
  DROPS,
  passAll,
  passAtBounds,
} from './pass.js';

/** The packets that pass for certain, those that may, and the reasons for the difference. */
export interface Bounds {
  readonly least: OpenRanges;
  readonly most: OpenRanges;
  /** The doubts that can change the result, as sentences. */
  readonly why: readonly string[];
  /** The rules that decide at either bound, door by door. */
  readonly by: () => readonly Decision[];
}

/**
 * Sends packets through doors twice: with everything in doubt for them, and with everything against them. What
 * more doubts than one answer for and against at once may lie between the bounds, though it does not depend on
 * them.
 */
export function passUnderDoubt(series: readonly Door[], asked: Asked): Bounds {
  const { least, most } = passAtBounds(series, asked);
  const wide: Span = { least: least.open, most: most.open };
  const by = () => [...least.by(), ...most.by()];
  const packets = inDoubt(wide);
  if (packets.length === 0) return { ...wide, why: [], by };
  const uses = findUses(series, { ...asked, packets });
  const span = narrow(wide, series, asked, uses);
  const left = inDoubt(span);
  const why = left.length === 0 ? [] : reasonsFor(series, { ...asked, packets: left });
  return { ...span, why: why.map(doubtText), by };
}

type Span = Pick<Bounds, 'least' | 'most'>;

function inDoubt({ most, least }: Span): OpenRanges {
  return combine(most, least, subtract);
}

/** Answers each doubt that is for some packets and against others as one: it has one answer at a time. */
function narrow(
  span: Span,
  series: readonly Door[],
  asked: Asked,
  uses: ReadonlyMap<string, readonly Use[]>,
): Span {
  const mixed = [...uses].filter(([, own]) => isMixed(own));
  return mixed.slice(0, MAX_NARROWED).reduce((now, [doubt]) => {
    const left = inDoubt(now);
    if (left.length === 0) return now;
    const [mostOpen, leastOpen] = [ACCEPTS, DROPS].map((others) =>
      [true, false].map((answer) => {
        const believed: Believed = (one, isAccept) =>
          one === doubt ? answer : others(one, isAccept);
        return passAll(series, { ...asked, packets: left }, believed).open;
      }),
    );
    const closed = combine(left, mostOpen?.reduce(unite) ?? left, subtract);
    return {
      most: combine(now.most, closed, subtract),
      least: unite(now.least, leastOpen?.reduce(meet) ?? []),
    };
  }, span);
}

/** Of so many doubts the bounds are narrowed by their answers. */
const MAX_NARROWED = 64;

function unite(a: OpenRanges, b: OpenRanges): OpenRanges {
  return combine(a, b, union);
}

/** A doubt as a sentence for people. */
export function doubtText(doubt: string): string {
  const row = Object.entries(ASSUMED).find(([id]) => id === doubt)?.[1];
  return row === undefined ? doubt : `${row.question} (${row.open}, or ${row.closed})`;
}

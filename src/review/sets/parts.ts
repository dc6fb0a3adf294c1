import { combine, overlay, type Pair } from './ranges.js';
import type { Cell, Region } from './region.js';
import { intersect } from './spans.js';

/** A part of two regions in which each lets one set of services through. */
export interface Part {
  readonly key: string;
  readonly cell: Cell;
  readonly pair: Pair;
}

/** Both regions cut into parts, cell by cell. */
export function partsOf(a: Region, b: Region): Part[] {
  return keysOf(a, b).flatMap((key) => {
    const cell = b.get(key) ?? a.get(key);
    if (cell === undefined) return [];
    const pairs = overlay(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? []);
    return pairs.map((pair) => ({ key, cell, pair }));
  });
}

/** Peers, ranges counted once, to which something stays open as it was. */
export function countUnchanged(a: Region, b: Region): number {
  const unchanged = (key: string) =>
    combine(a.get(key)?.ranges ?? [], b.get(key)?.ranges ?? [], intersect).length;
  return keysOf(a, b).reduce((sum, key) => sum + unchanged(key), 0);
}

function keysOf(a: Region, b: Region): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort();
}

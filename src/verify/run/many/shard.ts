import { invalidOption } from '../../../codes/connectivity-error.js';

/** One of several shards that together are the whole. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

const WHOLE: Shard = { number: 1, of: 1 };

/**
 * Reads `I/N`: shard `I`, starting at 1, of `N` shards.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function parseShard(text: string): Shard {
  const [, number, of] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  const shard = { number: Number(number), of: Number(of) };
  if (shard.number <= shard.of) return shard;
  throw invalidOption('shard', `be I/N with I from 1 to N, got: "${text}"`);
}

/**
 * Tells whether the item at an index, from 0, belongs to the part: each item belongs to exactly
 * one.
 */
export function isInShard(index: number, { number, of }: Shard = WHOLE): boolean {
  return index % of === number - 1;
}

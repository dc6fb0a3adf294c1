import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { parseVantagePoint, type VantagePoint } from '../../../link/vantage-point.js';
import { parseNetwork } from '../../../net/cidr.js';
import { parseShard, type Shard } from '../../../verify/run/many/shard.js';
import { parseDuration, parseFormat } from '../../program/arguments.js';
import { FORMAT_NAMES, type Format } from '../formats.js';

export function readText(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

export function readNetwork(value: string): string {
  return explained(() => parseNetwork(value).text);
}

export function readDuration(value: string): number {
  return explained(() => parseDuration(value));
}

export function readFormat(value: string): Format {
  return explained(() => parseFormat(FORMAT_NAMES, value));
}

export function readZone(value: string): { name: string; network: string } {
  const [, name = '', cidr = ''] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME=CIDR.');
  return { name, network: readNetwork(cidr) };
}

export function readVantagePoint(value: string): VantagePoint {
  return explained(() => parseVantagePoint(value));
}

export function readFamily(value: string): 4 | 6 {
  if (value === '4') return 4;
  if (value === '6') return 6;
  throw new InvalidArgumentError('It must be 4 or 6.');
}

export function readWholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

export function readCount(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  }
  return Number(value);
}

export function readShard(value: string): Shard {
  try {
    return parseShard(value);
  } catch {
    throw new InvalidArgumentError('It must be I/N with I from 1 to N.');
  }
}

function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(`It ${error instanceof Error ? error.message : error}.`);
  }
}

/** For what concerns which links are checked, and where reports go. */
export function neverRepeated(): undefined {
  return undefined;
}

export function asTyped(
  value: string | number | boolean | readonly string[] | undefined,
): string | boolean | readonly string[] | undefined {
  return typeof value === 'number' ? value.toString() : value;
}

export function asTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : `${milliseconds}ms`;
}

/** Negated flags are typed to say no. */
export function asNegation(value: boolean | undefined): boolean {
  return value === false;
}

/** The command works from any folder. Standard input and open descriptors have no other name. */
export function asFile(file: string | undefined): string | undefined {
  if (file === undefined || file === '-' || file.startsWith('/dev/')) return file;
  return resolve(file);
}

/** Of what may be `@FILE`. */
export function asListed(texts: readonly string[] | undefined): readonly string[] | undefined {
  return texts?.map((text) => (text.startsWith('@') ? `@${asFile(text.slice(1))}` : text));
}

export function withoutCredentials(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z]+:\/\/)?.*@/i, '$1');
}

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { MAX_BODY_BYTES } from './limits.js';

/** A body as text, and the coding that was undone for it. */
export interface DecodedBody {
  readonly text: string;
  readonly coding?: string;
}

const DECODERS = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync } as const;

type Coding = keyof typeof DECODERS;

/** The beginning of gzip. */
const GZIP = Buffer.from([0x1f, 0x8b, 8]);

/**
 * Undoes a compression that was not asked for, as most clients do: who answers is seen by what is in it.
 * What cannot be undone stays as it came.
 */
export function decodeBody(
  bytes: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): DecodedBody {
  const coding = codingOf(bytes, headers);
  if (coding === undefined) return { text: bytes.toString('utf8') };
  try {
    const whole = DECODERS[coding](bytes, { maxOutputLength: MAX_BODY_BYTES });
    return { text: whole.toString('utf8'), coding };
  } catch {
    return { text: bytes.toString('utf8') };
  }
}

/** Finds the coding: gzip by how it begins, whatever its head says; others cannot be told from text. */
function codingOf(
  bytes: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Coding | undefined {
  if (bytes.subarray(0, GZIP.length).equals(GZIP)) return 'gzip';
  const said = `${headers['content-encoding']}, ${headers['transfer-encoding']}`;
  return /\b(deflate|br)\b/i.exec(said)?.[1]?.toLowerCase() as 'deflate' | 'br' | undefined;
}

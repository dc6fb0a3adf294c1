import {
  closeSync,
  constants,
  fstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { sep } from 'node:path';

/** A file or folder of others that is refused unread; the message says what it must be. */
export class UnboundedFile extends Error {
  override readonly name = 'UnboundedFile';
}

/** Longer than any configuration that a tool writes. */
const MAX_TEXT_BYTES = 64 * 2 ** 20;

const CHUNK_BYTES = 2 ** 20;

interface ReadLimits {
  /** @default MAX_TEXT_BYTES */
  readonly maxBytes?: number;
  /** The folder that the file must be in, whatever links lead to. @default - anywhere */
  readonly within?: string;
}

/**
 * Reads a regular file of others, in chunks: it is opened without waiting and then looked at, so that
 * nothing can take its place between the two, and a file that grows is not followed.
 *
 * @throws UnboundedFile for what is no regular file, too large, or outside the folder; an error of the
 * system
 */
export function* readChunks(
  file: string,
  { maxBytes = MAX_TEXT_BYTES, within }: ReadLimits = {},
  chunkBytes = CHUNK_BYTES,
): Generator<Buffer> {
  // A device is not opened at all: to open some of them has effects.
  if (statSync(file).isFile() === false) throw new UnboundedFile('must be a regular file');
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new UnboundedFile('must be a regular file');
    if (stat.size > maxBytes) {
      throw new UnboundedFile(`must be at most ${maxBytes >> 20} MiB long`);
    }
    if (within !== undefined) requireWithin(file, stat, within);
    for (let left = stat.size + 1; left > 0; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, chunkBytes));
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      left -= length;
      if (left === 0) throw new UnboundedFile('must not grow while it is read');
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function requireWithin(file: string, opened: ReturnType<typeof fstatSync>, folder: string): void {
  const path = realpathSync(file);
  const found = statSync(path);
  const isSame = found.ino === opened.ino && found.dev === opened.dev;
  if (!isSame || !path.startsWith(`${realpathSync(folder)}${sep}`)) {
    throw new UnboundedFile('must be in the folder that names it, without links that lead outside');
  }
}

/** Reads a text of others; see {@link readChunks}. */
export function readBounded(file: string, limits?: ReadLimits): Buffer {
  const [text = Buffer.alloc(0), ...more] = readChunks(file, limits, Number.POSITIVE_INFINITY);
  return more.length === 0 ? text : Buffer.concat([text, ...more]);
}

/** More entries than any folder has that a tool writes. */
const MAX_ENTRIES = 20_000;

/** Names in a folder of others, sorted. @throws UnboundedFile where there are too many */
export function listBounded(folder: string, maxEntries = MAX_ENTRIES): string[] {
  const names: string[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      names.push(entry.name);
      if (names.length > maxEntries) {
        throw new UnboundedFile(`must have at most ${maxEntries} entries`);
      }
    }
  } finally {
    opened.closeSync();
  }
  return names.sort();
}

import type { KeyObject } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { parsePrivateKey } from './private-key.js';

const LARGEST_BYTES = 64 * 1024;
const GROUP_READ = 0o040;
const GROUP_WRITE_AND_OTHERS = 0o026 | 0o001;

export interface LoadedKey {
  readonly key: KeyObject;
  /** Set when the group of the file can read it: the chmod that would change it. */
  readonly groupReadable?: string;
}

/**
 * Reads a private key from a file. Symbolic links are followed; `-` is standard input, and
 * `/dev/fd/N` or any other pipe works.
 *
 * @throws ConnectivityError `key.missing`, `key.unreadable`, `key.permissions`, `key.not-rsa`,
 *   `key.too-short`
 */
export async function loadPrivateKey(path: string): Promise<LoadedKey> {
  if (path === '-') {
    return { key: parsePrivateKey(await readStream(process.stdin, 'stdin'), 'standard input') };
  }
  const file = await openKey(path);
  try {
    const note = await checkMode(path, await file.stat());
    const text = await readCapped(file, path);
    return { key: parsePrivateKey(text, path), ...(note && { groupReadable: note }) };
  } finally {
    await file.close();
  }
}

async function openKey(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new ConnectivityError('key.missing', `the private key file ${path} does not exist`);
    }
    throw new ConnectivityError(
      'key.unreadable',
      `the private key file ${path} must be readable by this user, got: ${code}`,
    );
  }
}

/** Judges the file itself, not the link to it; a pipe has no mode that would say anything. */
async function checkMode(path: string, { mode, ...stats }: Stats): Promise<string | undefined> {
  if ((mode & 0o170000) !== 0o100000) {
    if ((mode & 0o170000) !== 0o040000) return undefined;
    throw new ConnectivityError('key.unreadable', `the private key file ${path} is a folder`);
  }
  if (stats.size > LARGEST_BYTES) {
    throw new ConnectivityError(
      'key.unreadable',
      `the private key file ${path} must be at most ${LARGEST_BYTES} bytes, got: ${stats.size}`,
    );
  }
  if (process.platform === 'win32') return undefined;
  const remedy = `chmod 600 ${quote(await realpath(path))}`;
  if ((mode & GROUP_WRITE_AND_OTHERS) !== 0) {
    throw new ConnectivityError(
      'key.permissions',
      `the private key file ${path} must not be open to others, got: mode ${octal(mode)}; run: ${remedy}`,
    );
  }
  return (mode & GROUP_READ) === 0 ? undefined : remedy;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function quote(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** By hand: to load Node's file streams takes longer than to check the key. */
async function readCapped(file: FileHandle, source: string): Promise<string> {
  const bytes = Buffer.alloc(LARGEST_BYTES + 1);
  let size = 0;
  for (;;) {
    // No position: a pipe has none.
    const { bytesRead } = await file.read(bytes, size, bytes.length - size, null);
    size += bytesRead;
    if (size > LARGEST_BYTES) throw tooLarge(source);
    if (bytesRead === 0) return bytes.toString('utf8', 0, size);
  }
}

async function readStream(stream: AsyncIterable<unknown>, source: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > LARGEST_BYTES) throw tooLarge(source);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(source: string): ConnectivityError {
  return new ConnectivityError(
    'key.unreadable',
    `${source} must hold a private key of at most ${LARGEST_BYTES} bytes`,
  );
}

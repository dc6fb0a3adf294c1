import type { KeyObject } from 'node:crypto';
import { accessSync, chmodSync, constants, type Stats } from 'node:fs';
import { type FileHandle, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { refuseSecrets } from '../../codes/misplaced-secrets.js';
import { shellWord } from '../../files/escape.js';
import {
  BodyTooLong,
  collectText,
  REQUEST_TIMEOUT_MS,
  TimedOut,
  withTimeout,
} from '../http/limits.js';
import { openToRead, readText, withFiles } from '../open-files.js';
import { A_FINGERPRINT, FINGERPRINT, parseKeyAt, parsePrivateKey } from './signing-key.js';

const MAX_BYTES = 64 * 1024;
const GROUP_READ = 0o040;
const GROUP_WRITE_AND_OTHERS = 0o027;

export interface LoadedKey {
  readonly key: KeyObject;
  /** Set if a group can read the file, and root does not own it: the command that changes this. */
  readonly groupReadable?: string;
}

/**
 * Reads a private key from a file. Symbolic links are followed; `-` is standard input, and
 * `/dev/fd/N` or any other pipe works.
 *
 * @param options.timeoutMs how long to wait for what a pipe gives; by default 10 s
 * @throws ConnectivityError `credentials.missing`, `key.unusable`, `key.permissions`
 */
export async function loadPrivateKey(
  path: string,
  { timeoutMs = REQUEST_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Promise<LoadedKey> {
  refuseSecrets({ privateKeyFile: path });
  if (path === '-') {
    const text = await inBounds('standard input', () => readInput(timeoutMs));
    return { key: parsePrivateKey(text, 'standard input') };
  }
  const file = await openKey(path);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw unreadable(`the private key file ${path} is a folder`);
    const limits = { mostBytes: MAX_BYTES, timeoutMs };
    const text = await inBounds(path, () => readText(file, limits));
    // Nothing can read a pipe a second time.
    const key = stats.isFile()
      ? parseKeyAt({ file: resolve(path) }, text, path)
      : parsePrivateKey(text, path);
    // Only then: a file that holds something else, such as a public key, may be open to others.
    const note = stats.isFile() ? await checkMode(path, stats) : undefined;
    return { key, ...(note && { groupReadable: note }) };
  } finally {
    await file.close();
  }
}

async function readInput(timeoutMs: number): Promise<string> {
  try {
    return await withTimeout(timeoutMs, undefined, () => collectText(process.stdin, MAX_BYTES));
  } catch (error) {
    process.stdin.destroy();
    throw error;
  }
}

async function inBounds(source: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BodyTooLong) {
      throw unreadable(`${source} must hold a private key of at most ${MAX_BYTES} bytes`);
    }
    if (!(error instanceof TimedOut)) throw error;
    throw unreadable(
      `${source} must give a private key within ${Math.round(error.timeoutMs)} ms, got: nothing more; check what writes to it`,
    );
  }
}

async function openKey(path: string): Promise<FileHandle> {
  try {
    return await withFiles(REQUEST_TIMEOUT_MS, undefined, () => openToRead(path));
  } catch (cause) {
    if (cause instanceof ConnectivityError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      const hint = path.startsWith('~')
        ? ': only a shell expands `~`, so write the whole path'
        : '';
      const why = FINGERPRINT.test(path) ? `; ${A_FINGERPRINT}` : hint;
      throw unreadable(`the private key file ${path} does not exist${why}`);
    }
    throw unreadable(`the private key file ${path} must be readable by this user, got: ${code}`);
  }
}

/** Judges the file itself, not the link to it; as libpq does, it lets a group read what root owns. */
async function checkMode(path: string, { mode, uid }: Stats): Promise<string | undefined> {
  const isOpen = (mode & GROUP_WRITE_AND_OTHERS) !== 0;
  const isShared = isOpen || (uid !== 0 && (mode & GROUP_READ) !== 0);
  if (process.platform === 'win32' || !isShared) return undefined;
  const file = await realpath(path);
  const isOwner = [0, uid].includes(process.getuid?.() ?? uid);
  if (isOnReadOnlyMount(file, mode, isOwner)) return undefined;
  const [how, copy] = isOwner ? ['chmod', ''] : ['install -m', ' COPY'];
  const remedy = `${how} 600 ${shellWord(file)}${copy}`;
  if (!isOpen) return remedy;
  throw new ConnectivityError(
    'key.permissions',
    `the private key file ${path} must not be open to others, got: mode ${(mode & 0o777).toString(8).padStart(4, '0')}; run: ${remedy}`,
  );
}

/** Tells whether the mode cannot be changed, as in Kubernetes volumes: the system reports that before it checks the owner. */
function isOnReadOnlyMount(file: string, mode: number, isOwner: boolean): boolean {
  try {
    if (isOwner) accessSync(file, constants.W_OK);
    else chmodSync(file, mode & 0o7777);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function unreadable(problem: string): ConnectivityError {
  return new ConnectivityError('key.unusable', problem);
}

import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { ConnectivityError, invalidOption, usageError } from '../../../codes/connectivity-error.js';
import { issueText } from '../../../codes/issue-text.js';
import { refuseSecrets } from '../../../codes/misplaced-secrets.js';
import { parseJson, present } from '../../../files/json.js';
import { linkSchema } from '../../../link/link.js';
import { TimedOut } from '../../../service/http/limits.js';
import { openToRead, readPieces } from '../../../service/open-files.js';
import { type Credentials, pipeWaitMs, type VerifiableLink } from '../../model/options.js';
import { isInShard, type Shard } from './shard.js';

export interface TargetsOptions {
  readonly allowPlainHttp?: boolean;
  /** Only this shard of the lines. @default all of them */
  readonly shard?: Shard | undefined;
  /** Milliseconds within which a pipe must deliver data. @default 30_000 */
  readonly pipeWaitMs?: number;
}

/**
 * Reads targets, one JSON object per line, on demand; empty lines do not count.
 *
 * @param file a path, or `-` for standard input
 * @throws ConnectivityError `usage.invalid`
 */
export async function* readTargets(
  file: string,
  { allowPlainHttp = false, shard, pipeWaitMs: writerMs = pipeWaitMs() }: TargetsOptions = {},
): AsyncGenerator<Target, void, undefined> {
  const folder = file === '-' ? process.cwd() : dirname(file);
  let index = -1;
  let number = 0;
  for await (const text of lines(file, writerMs)) {
    number += 1;
    const line = number === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.trim() === '') continue;
    index += 1;
    if (!isInShard(index, shard)) continue;
    yield parseTarget(line, `${shown(file)} line ${number}`, { folder, allowPlainHttp });
  }
}

interface OpenedTargets {
  /** Undefined where the file is a pipe, which can be read only once. */
  readonly total: number | undefined;
  readonly targets: AsyncIterable<Target>;
}

/**
 * Reads every line of the shard once, so that a mistake shows before the first packet.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function openTargets(
  file: string,
  options: TargetsOptions = {},
): Promise<OpenedTargets> {
  const targets = readTargets(file, options);
  if (file === '-' || !(await isRegular(file))) return { total: undefined, targets };
  let total = 0;
  for await (const _ of targets) total += 1;
  if (total === 0) {
    const rule = `hold at least one target, got: ${shown(file)} without one`;
    if (options.shard === undefined) throw invalidOption('--targets', rule);
    // A shard may be empty, the whole may not.
    await openTargets(file, { ...options, shard: undefined });
  }
  return { total, targets: readTargets(file, options) };
}

async function* lines(file: string, writerMs: number): AsyncGenerator<string, void, undefined> {
  const pieces: AsyncIterable<Buffer> = file === '-' ? process.stdin : readFile(file, writerMs);
  const input = Readable.from(withinLines(pieces, file));
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Longer than any target. */
const MAX_LINE_BYTES = 2 ** 20;

/** Ends a line that has no end, such as that of a device, before it fills the memory. */
async function* withinLines(pieces: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    const end = piece.lastIndexOf('\n');
    length = end < 0 ? length + piece.length : piece.length - end;
    if (length > MAX_LINE_BYTES) {
      const rule = `hold one target a line, each at most ${MAX_LINE_BYTES >> 20} MiB long`;
      throw invalidOption('--targets', `${rule}, got: a longer line in ${shown(file)}`);
    }
    yield piece;
  }
}

/** The writer of a pipe may take any time. */
async function* readFile(file: string, writerMs: number): AsyncGenerator<Buffer, void, undefined> {
  const opened = await openToRead(file);
  try {
    yield* readPieces(opened, { timeoutMs: Number.POSITIVE_INFINITY, writerMs });
  } finally {
    await opened.close();
  }
}

async function isRegular(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): ConnectivityError {
  if (cause instanceof ConnectivityError) return cause;
  const problem =
    cause instanceof TimedOut
      ? `begin to give targets within ${Math.round(cause.timeoutMs)} ms, got: ${file}, a pipe that nobody writes to`
      : `be a readable file, got: ${shown(file)} (${(cause as NodeJS.ErrnoException).code})`;
  return invalidOption('--targets', problem, cause);
}

function shown(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** A link with its own credentials, if any; the rest comes from the run. */
export interface Target {
  readonly link: VerifiableLink;
  readonly credentials: Credentials;
}

const text = z.optional(z.string().check(z.minLength(1)));

const credentialsSchema = z.object({
  enterpriseId: text,
  appId: text,
  keyId: text,
  /** Relative to the folder of the file of targets. */
  privateKeyFile: text,
});

const targetLinkSchema = z.object({
  ...linkSchema.shape,
  name: text,
  expectedAddresses: z._default(linkSchema.shape.expectedAddresses, []),
  expectedNetworks: z._default(linkSchema.shape.expectedNetworks, []),
});

/** One line of a targets file: a link, whose name and expectations may be left out, and credentials. */
export const targetSchema = z.strictObject({
  ...targetLinkSchema.shape,
  ...credentialsSchema.shape,
});

/**
 * @param source named in errors: a file and a line
 * @param options with the folder that relative paths are relative to
 * @throws ConnectivityError `usage.invalid`
 */
export function parseTarget(
  line: string,
  source: string,
  options: { readonly folder: string; readonly allowPlainHttp: boolean },
): Target {
  const json = parseJson(line);
  if (json === undefined) {
    throw invalid(
      `${source} must be one JSON object on one line, got: text that is not JSON, or is nested too deeply`,
    );
  }
  const result = targetSchema.safeParse(json, { reportInput: true });
  if (!result.success) {
    const problems = result.error.issues.map((issue) => issueText(issue));
    throw invalid(`${source} is no target: ${problems.join('; ')}`);
  }
  refuseSecrets(result.data, (field) => `${source}: ${field}`);
  const { privateKeyFile: file, ...credentials } = credentialsSchema.parse(result.data);
  const privateKeyFile = file && resolve(options.folder, file);
  const link = targetLinkSchema.parse(result.data);
  const { host, protocol } = new URL(link.baseUrl);
  if (protocol === 'http:' && !options.allowPlainHttp) {
    throw invalid(
      `${source}: \`baseUrl\` with http needs \`--allow-plain-http\`, got: "${link.baseUrl}"; JWT and token would travel unencrypted`,
    );
  }
  return {
    link: { ...link, name: link.name ?? host },
    // What is undefined must not hide what the run gives.
    credentials: present({ ...credentials, privateKeyFile }),
  };
}

function invalid(message: string): ConnectivityError {
  return usageError(message);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { issueText } from '../codes/issue-text.js';
import { misplacedSecrets } from '../codes/misplaced-secrets.js';
import { readBounded } from '../files/bounded-read.js';
import { duplicateKeys, parseBounded } from '../files/json-text.js';
import {
  type Intents,
  intentsSchema,
  type TreeIntents,
  treeIntentsSchema,
} from './intents-file.js';
import { INTENTS_FILE } from './tree-file.js';

/** The error for intents that cannot be judged. */
export function invalidIntents(message: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError('intents.invalid', message, { cause });
}

/** Reads a file of intents; every mistake is named. @throws ConnectivityError `intents.invalid` */
export function readIntents(file: string): Intents {
  return checkIntents(readFile(file), file, intentsSchema);
}

/** Reads the intents beside a stack's Terraform JSON. @throws ConnectivityError `intents.invalid` */
export function readTreeIntents(file: string): TreeIntents {
  return checkIntents(readFile(file), file, treeIntentsSchema);
}

/** Reads the intents beside the Terraform JSON of one stack. @throws ConnectivityError `intents.invalid` */
export function readStackIntents(folder: string): TreeIntents | undefined {
  const file = join(folder, INTENTS_FILE);
  return existsSync(file) ? readTreeIntents(file) : undefined;
}

function readFile(file: string): unknown {
  let text: string;
  try {
    text = readBounded(file)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code = 'not readable' } = cause as NodeJS.ErrnoException;
    throw invalidIntents(`\`intents\` must be a readable file, got: ${file} (${code})`, cause);
  }
  let json: unknown;
  try {
    json = parseBounded(text);
  } catch (cause) {
    throw invalidIntents(`\`intents\` must hold JSON, got: ${file}`, cause);
  }
  const [twice] = duplicateKeys(text);
  if (twice !== undefined) {
    throw invalidIntents(`\`${twice}\` must be given once in ${file}, got: twice`);
  }
  return json;
}

interface Schema<T> {
  safeParse(
    value: unknown,
    options: { readonly reportInput: true },
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: Parameters<typeof issueText>[0][] } };
}

/**
 * Checks intents of whatever source.
 *
 * @param source named in errors
 * @throws ConnectivityError `intents.invalid`
 */
export function checkIntents<T = Intents>(
  value: unknown,
  source: string,
  schema: Schema<T> = intentsSchema as unknown as Schema<T>,
): T {
  const secrets = misplacedSecrets(value);
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success && secrets.length === 0) return result.data;
  const issues = result.success ? [] : result.error.issues.map((issue) => issueText(issue));
  const problems = [...secrets, ...issues].map((problem) => `\n  ${problem}`);
  throw invalidIntents(`${source} holds no intents that can be judged:${problems.join('')}`);
}

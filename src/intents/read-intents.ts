import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appMistake } from '../codes/app-mistake.js';
import type { ConnectivityError } from '../codes/connectivity-error.js';
import { issueText } from '../codes/issue-text.js';
import { misplacedSecrets } from '../codes/misplaced-secrets.js';
import { readBounded } from '../files/bounded-read.js';
import { duplicateKeys, parseBounded } from '../files/json.js';
import { groupBy } from '../lists/group-by.js';
import { isNetworkText, parseNetwork } from '../net/cidr.js';
import {
  type Intents,
  intentsSchema,
  namesIn,
  type TreeIntents,
  treeIntentsSchema,
} from './intents-file.js';
import { INTENTS_FILE } from './tree-file.js';

/** The error for intents that cannot be judged. */
export function invalidIntents(message: string, cause?: unknown): ConnectivityError {
  return appMistake(message, cause);
}

/** Reads a file of intents; every mistake is named. @throws ConnectivityError `usage.invalid` */
export function readIntents(file: string, option = 'intents'): Intents {
  return checkIntents(readFile(file, option), file, intentsSchema);
}

/** Reads the intents in a stack's folder; undefined if it has none. @throws ConnectivityError `usage.invalid` */
export function readStackIntents(folder: string): TreeIntents | undefined {
  const file = join(folder, INTENTS_FILE);
  if (!existsSync(file)) return undefined;
  return checkIntents(readFile(file, 'intents'), file, treeIntentsSchema);
}

function readFile(file: string, option: string): unknown {
  let text: string;
  try {
    text = readBounded(file)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code = 'not readable' } = cause as NodeJS.ErrnoException;
    throw invalidIntents(`\`${option}\` must be a readable file, got: ${file} (${code})`, cause);
  }
  let json: unknown;
  try {
    json = parseBounded(text);
  } catch (cause) {
    throw invalidIntents(`\`${option}\` must hold JSON, got: ${file}`, cause);
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
 * @throws ConnectivityError `usage.invalid`
 */
export function checkIntents<T extends Intents = Intents>(
  value: unknown,
  source: string,
  schema: Schema<T> = intentsSchema as unknown as Schema<T>,
): T {
  const secrets = misplacedSecrets(value);
  const result = schema.safeParse(value, { reportInput: true });
  const issues = result.success
    ? wrongNetworks(result.data)
    : result.error.issues.map((issue) => issueText(issue));
  if (result.success && secrets.length + issues.length === 0) return result.data;
  const problems = [...secrets, ...issues].map((problem) => `\n  ${problem}`);
  throw invalidIntents(`${source} holds no intents that can be judged:${problems.join('')}`);
}

/** Names every network that is none, wherever it stands: also in intents that do not apply here. */
function wrongNetworks({ names = {}, workloads = [], intents }: Intents): string[] {
  const ends = intents.flatMap(({ name, from, to }) => [
    ...namesIn(from).names.map((end) => [`from of "${name}"`, end] as const),
    ...namesIn(to).names.map((end) => [`to of "${name}"`, end] as const),
  ]);
  const own = Object.entries(names).flatMap(([name, all]) =>
    all.map((one) => [`names.${name}`, one] as const),
  );
  const all = [...ends, ...own].filter(
    ([, text]) => typeof text === 'string' && isNetworkText(text),
  );
  const shadows = Object.keys(names).filter(isNetworkText);
  return [
    ...[...all, ...workloads.map((text) => ['workloads', text] as const)].flatMap(([at, text]) =>
      wrongNetwork(at, String(text)),
    ),
    ...shadows.map((name) => `\`names\` must not rename an address, got: "${name}"`),
  ];
}

function wrongNetwork(at: string, text: string): string[] {
  try {
    parseNetwork(text);
    return [];
  } catch (error) {
    return [`\`${at}\` ${(error as Error).message}, got: "${text}"`];
  }
}

/**
 * Refuses an environment that there is not: its intents would apply nowhere.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function requireEnvironments({ intents }: Intents, known: readonly string[]): void {
  for (const { name, environments = [] } of intents) {
    const wrong = environments.find((one) => !known.includes(one));
    if (wrong === undefined) continue;
    throw invalidIntents(
      `\`environments\` of "${name}" must be of ${known.join(', ')}, got: "${wrong}"`,
    );
  }
}

/** Intents, and the names of the stacks that they are judged by. */
export interface IntentGroup {
  readonly intents: TreeIntents;
  readonly stacks: readonly string[];
}

/**
 * Reads the intents that the stacks of a tree have beside them: those of one environment have the same.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readIntentGroups(tree: string, stacks: readonly string[]): IntentGroup[] {
  return groupIntents(
    stacks.map((name) => ({ name, intents: readStackIntents(join(tree, 'stacks', name)) })),
  );
}

/** Groups stacks that have the same intents; those without any are left out. */
export function groupIntents(
  stacks: readonly { readonly name: string; readonly intents?: TreeIntents | undefined }[],
): IntentGroup[] {
  const found = stacks.flatMap(({ name, intents }) => (intents ? [{ name, intents }] : []));
  const groups = groupBy(found, ({ intents }) => JSON.stringify(intents));
  return [...groups.values()].map((group) => ({
    intents: group[0].intents,
    stacks: group.map(({ name }) => name),
  }));
}

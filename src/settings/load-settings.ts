import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import * as z from 'zod';
import { appMistake } from '../codes/app-mistake.js';
import { issueRule, valueAt } from '../codes/issue-text.js';
import { misplacedSecrets } from '../codes/misplaced-secrets.js';
import { nearTexts } from '../codes/near-text.js';
import { redact } from '../codes/redact.js';
import { readBounded, UnboundedFile } from '../files/bounded-read.js';
import { duplicateKeys, parseBounded } from '../files/json.js';
import type { Intents } from '../intents/intents-file.js';
import { readIntents, requireEnvironments } from '../intents/read-intents.js';
import {
  LITERAL_IN_MODULE,
  type ModuleSettings,
  takeVariables,
  type VariableReader,
  withVariables,
} from './module-settings.js';
import { type Settings, settingsSchema } from './schema.js';

export interface LoadedSettings {
  /** The environment: the name of the file without `.json`. */
  readonly environment: string;
  readonly settings: Settings;
  /** The content of the file that `settings.intents` names. */
  readonly intents?: Intents;
}

/** Names the stacks of an environment as the package's own project does. */
export function stackNames(environment: string) {
  return { api: `api-access-${environment}`, plugins: `plugin-access-${environment}` };
}

/** Adds the file of intents that settings name. @throws ConnectivityError `usage.invalid` */
export function withIntents(environment: string, settings: Settings): LoadedSettings {
  const { intents: file } = settings;
  return { environment, settings, ...(file !== undefined && { intents: readIntents(file) }) };
}

/**
 * Reads the settings of the chosen environment.
 *
 * @param folder holds one `<environment>.json` for each environment
 * @param environment @default - the environment variable `CONNECTIVITY_ENV`
 * @throws ConnectivityError `usage.invalid`
 */
export function loadSettings(
  folder: string,
  environment: string | undefined = process.env.CONNECTIVITY_ENV,
): LoadedSettings {
  const environments = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
  if (!environment || !environments.includes(environment)) {
    const rule = environment ? `must name a settings file, got: "${environment}"` : 'is not set';
    throw appMistake(`\`CONNECTIVITY_ENV\` ${rule}; choose one of: ${environments.join(', ')}`);
  }
  const file = join(folder, `${environment}.json`);
  const shown = relative(process.cwd(), file);
  const loaded = withIntents(environment, parseSettings(readText(file, shown), shown));
  if (loaded.intents !== undefined) requireEnvironments(loaded.intents, environments);
  return loaded;
}

function readText(file: string, shown: string): string {
  try {
    return readBounded(file).toString('utf8');
  } catch (cause) {
    if (cause instanceof UnboundedFile) throw appMistake(`${shown} ${cause.message}`);
    throw cause;
  }
}

/**
 * Reads settings from the text of a file; every problem is reported at once.
 *
 * @param file named in errors
 * @throws ConnectivityError `usage.invalid`
 */
export function parseSettings(text: string, file: string): Settings {
  return checked(parseJson(withoutMark(text), file), { text, file });
}

/**
 * Reads the settings of a module, in which some texts may be variables of Terraform.
 *
 * @param file named in errors
 * @param readVariable knows Terraform's language, which other settings do without
 * @throws ConnectivityError `usage.invalid`
 */
export function parseModuleSettings(
  text: string,
  file: string,
  readVariable: VariableReader,
): ModuleSettings {
  const written = parseJson(withoutMark(text), file);
  const { json, places, problems } = takeVariables(written, readVariable);
  const settings = checked(json, { text, file, problems, literal: LITERAL_IN_MODULE });
  return withVariables(settings, places);
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

interface Source {
  readonly text: string;
  readonly file: string;
  /** Problems that were found before. @default - none */
  readonly problems?: readonly string[];
  /** Words for the mistake of a text that Terraform would evaluate. @default - nothing */
  readonly literal?: string;
}

/** @throws ConnectivityError `usage.invalid`, with every problem at once */
function checked(json: unknown, { text, file, problems: known = [], literal }: Source): Settings {
  const asWritten = settingsSchema.safeParse(json, { error: knownKeys });
  const { misspelled, repaired } = repairNames(json, asWritten.error?.issues ?? []);
  const isRepaired = misspelled.length > 0;
  const result = isRepaired ? settingsSchema.safeParse(repaired, { error: knownKeys }) : asWritten;
  const problems = [
    ...known,
    ...duplicateKeys(text).map(
      (path) => `\`${path}\` is given twice; only the last would count, so remove one`,
    ),
    ...misplacedSecrets(json),
    ...templateProblems(json, [], literal),
    ...misspelled,
    ...(result.success
      ? []
      : flatIssues(result.error.issues, repaired).flatMap((issue) =>
          issueProblems(issue, repaired),
        )),
  ];
  if (problems.length === 0 && result.success) return result.data;
  throw appMistake(
    `${file} has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${listed(problems)}`,
  );
}

const MAX_LISTED = 50;

function listed(problems: readonly string[]): string {
  const more = problems.length - MAX_LISTED;
  const lines = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseBounded(text, MAX_DEPTH);
  } catch (cause) {
    const { message } = cause as Error;
    if (cause instanceof UnboundedFile) throw appMistake(`${file} ${message}, got: more`);
    throw appMistake(`${file} is not JSON: ${withoutExcerpt(message)}`);
  }
}

/** Far more than settings have, and few enough for whatever walks through them. */
const MAX_DEPTH = 50;

/** Node.js quotes what is around the mistake, which can be a credential. */
function withoutExcerpt(message: string): string {
  return message.replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, ' is not expected there');
}

/**
 * Gives misspelled keys the name that is near, so that what is only missing because of it is no mistake
 * of its own.
 */
function repairNames(json: unknown, issues: readonly z.core.$ZodIssue[]) {
  const repaired = structuredClone(json);
  const misspelled = flatIssues(issues, json).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const holder = valueAt(repaired, issue.path) as Record<string, unknown>;
    return issue.keys.flatMap((key) => {
      const [near] = nearTexts(key, issue.message.split(' '));
      if (near === undefined || Object.hasOwn(holder, near)) return [];
      holder[near] = holder[key];
      delete holder[key];
      return [`\`${[...issue.path, key].join('.')}\` is not a setting; did you mean \`${near}\`?`];
    });
  });
  return { misspelled, repaired };
}

/** The problems of values that may have several forms are those of the form that they come closest to. */
function flatIssues(issues: readonly z.core.$ZodIssue[], json: unknown): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    const value = valueAt(json, issue.path);
    const isOfForms = issue.code === 'invalid_union' && typeof value === 'object' && value !== null;
    return isOfForms ? flatIssues(closest(issue), json) : [issue];
  });
}

function issueProblems(issue: z.core.$ZodIssue, json: unknown): string[] {
  const path = issue.path.map(String).join('.') || '(root)';
  const value = valueAt(json, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length === 0 ? '' : `${path}.`;
    return issue.keys.map(
      (key) => `\`${prefix}${key}\` is not a setting; ${keyRemedy(key, issue.message)}`,
    );
  }
  if (value === undefined) return [`\`${path}\` ${issueRule(issue, value)}`];
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => `\`${path}\` ${message}`);
  }
  return [`\`${path}\` ${issueRule(issue, value)}, got: ${shown(value, path)}`];
}

/** The message of an object with unknown keys: the keys that it may have, for `keyRemedy`. */
function knownKeys({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  const isOfObject = code === 'unrecognized_keys' && inst instanceof z.ZodObject;
  return isOfObject ? Object.keys(inst.shape).join(' ') : undefined;
}

function keyRemedy(key: string, known: string): string {
  const [near] = nearTexts(key, known.split(' '));
  return near === undefined ? 'remove it or correct its name' : `did you mean \`${near}\`?`;
}

/** A private key or a backend's credential in the settings must not get into a log as well. */
function shown(value: unknown, path: string): string {
  const text = JSON.stringify(value);
  if (text.includes('PRIVATE KEY')) return 'a private key, which is not shown';
  if (/^state(\.config\b.*)?$/.test(path)) return 'a value that is not shown';
  if (text.length <= MAX_SHOWN) return text;
  // A secret is known by its whole form, so that it is taken out before the cut.
  return `${redact(text).slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}

const MAX_SHOWN = 300;

/** Returns the problems of the allowed form that the value comes closest to. */
function closest(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const misfits = (form: z.core.$ZodIssue[]) => form.reduce((sum, inner) => sum + misfit(inner), 0);
  const [best = []] = issue.errors.toSorted((a, b) => misfits(a) - misfits(b));
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function misfit(issue: z.core.$ZodIssue): number {
  // The whole value is of another type than the form.
  if (issue.path.length === 0 && issue.code === 'invalid_type') return Number.POSITIVE_INFINITY;
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  return issue.path.length < 2 ? 1 : 0;
}

/** Text that Terraform would evaluate has no place in settings, neither as a key nor as a value. */
function templateProblems(json: unknown, path: readonly string[] = [], more = ''): string[] {
  const place = path.join('.') || '(root)';
  if (typeof json === 'string') return templateProblem(json, place, more);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [
    ...templateProblem(key, place, more),
    ...templateProblems(value, [...path, key], more),
  ]);
}

function templateProblem(text: string, place: string, more: string): string[] {
  if (!/[$%]\{/.test(text)) return [];
  return [
    `\`${place}\` must not hold \${ or %{, which Terraform would evaluate, got: ${shown(text, place)}; write the value itself${more}`,
  ];
}

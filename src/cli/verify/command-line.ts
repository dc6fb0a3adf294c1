import type { Command } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { EXIT } from '../../codes/exit-status.js';
import { nearTexts } from '../../codes/near-text.js';
import { safeText } from '../../codes/redact.js';
import { KEY_VARIABLE } from '../../terraform/program.js';
import {
  KEY_TEXT,
  proxyVariables,
  type RunOptions,
  type SettingSource,
} from '../../verify/model/options.js';
import { nameIn } from '../program/arguments.js';
import { readGivenKey } from '../program/check-files.js';
import type { VerifyFlags } from './flags/modes.js';
import { type FlagRow, VARIABLE_PREFIX } from './flags/row.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';

export type CommandLine = ReturnType<typeof readCommandLine>;

export function readCommandLine(command: Command) {
  nameUnknownVariables();
  return {
    flags: command.opts<VerifyFlags>(),
    /** Without what came from variables. */
    typed: typedFlags(command),
    settings: settingSources(command),
    names: settingNames(command),
  };
}

const ROWS: Readonly<Record<string, FlagRow>> = FLAGS;

/** Variables that no flag of a check has: of other commands, and what commands tell each other by. */
const NO_FLAGS =
  'PRIVATE_KEY LINKS ADOPT REQUIRE_REVIEWED SANDBOX_CONSOLE SANDBOX_COMMAND SEAL CHECK_KEY_FILE CHECK_STATUS_FILE PLAN_FOLDER ERRORED_FOLDER';

/** Says of a variable that nothing reads, and that resembles one, how it may have been meant. */
function nameUnknownVariables(): void {
  const known = [
    ...Object.values(ROWS).flatMap(({ variable }) => variable ?? []),
    ...NO_FLAGS.split(' '),
  ];
  for (const variable of Object.keys(process.env)) {
    const name = variable.slice(VARIABLE_PREFIX.length);
    if (!variable.startsWith(VARIABLE_PREFIX) || known.includes(name)) continue;
    const [near] = nearTexts(name, known);
    if (near === undefined) continue;
    const meant = `did you mean ${VARIABLE_PREFIX}${near}?`;
    process.stderr.write(`verify: nothing reads the variable ${safeText(variable)}; ${meant}\n`);
  }
}

/** Returns what to call the options of the library in errors: the flag, or the variable that the value came from. */
export function settingNames(command: Command): Readonly<Record<string, string>> {
  const names = command.options.map((option) => {
    const attribute = option.attributeName();
    const field = ROWS[attribute]?.option?.split('.').at(-1) ?? attribute;
    return [field, nameIn(command, attribute)] as const;
  });
  const known = Object.fromEntries(names);
  return {
    ...known,
    privateKey: known.privateKeyFile ?? KEY_VARIABLE,
    [KEY_TEXT]: KEY_VARIABLE,
  };
}

function typedFlags(command: Command): Flags {
  const isTyped = (name: string) => command.getOptionValueSource(name) !== 'env';
  return Object.fromEntries(Object.entries(command.opts()).filter(([name]) => isTyped(name)));
}

/** Returns where each setting came from; of the private key only the name of its file is shown. */
function settingSources(command: Command): SettingSource[] {
  const sources = command.options.flatMap((option): SettingSource[] => {
    const name = option.attributeName();
    const shown = ROWS[name]?.shownInReport;
    const source = command.getOptionValueSource(name);
    if (shown === undefined || source === undefined || source === 'default') return [];
    const value: unknown = command.getOptionValue(name);
    const text = shown === true ? [value].flat().join(', ') : shown(value as never);
    const from = source === 'env' ? (option.envVar ?? 'environment') : 'command line';
    return [{ name: option.long ?? name, source: from, value: text }];
  });
  const hasFile = sources.some(({ name }) => name === '--private-key-file');
  if (hasFile || !readGivenKey()) return sources;
  return [...sources, { name: 'private key', source: KEY_VARIABLE }];
}

/** The flags that name where links are read, but for a file of targets. */
export function givenSources(flags: Flags): string[] {
  return Object.entries({
    '--outputs-file': flags.outputsFile,
    '--stack': flags.stack,
    '--links-from-environment': flags.linksFromEnvironment,
    '--base-url': flags.baseUrl,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
}

/** A file of targets must be the only source of links. @throws ConnectivityError `usage.invalid` */
export function refuseOtherSources(flags: Flags): void {
  const others = givenSources(flags);
  if (others.length === 0) return;
  throw usageError(
    `\`--targets\` must be the only source of links, got: ${others.join(', ')} beside it`,
  );
}

/** Returns how to check, as the flags say it. @param names what errors call the options */
export function runOptions(flags: Flags, names: Readonly<Record<string, string>>): RunOptions {
  const options: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {
    credentials: { privateKey: readGivenKey() },
  };
  for (const [name, { option }] of Object.entries(ROWS)) {
    const value = flags[name as FlagName];
    if (option === undefined || value === undefined) continue;
    const [group = '', field] = option.split('.');
    if (field === undefined) options[group] = value;
    else groups[group] = { ...groups[group], [field]: value };
  }
  return { ...options, ...groups, environment: proxyVariables(), names };
}

/** Returns the exit status; with `--report-only` only an interrupt counts. */
export function finalExit(exit: number, { reportOnly }: Flags): number {
  return reportOnly && exit !== EXIT.interrupted ? 0 : exit;
}

import type { Command } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { shellWord } from '../../files/escape.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import type { RunOptions, SettingSource, VerifiableLink } from '../../verify/model/options.js';
import { proxyVariables } from '../../verify/transport/proxy/proxy.js';
import { KEY_VARIABLE } from './flags/credentials.js';
import type { FlagRow } from './flags/row.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';

/** What the command line and its variables say, and where it came from. */
export interface CommandLine {
  readonly flags: Flags;
  /** Without what came from variables. */
  readonly typed: Flags;
  readonly settings: readonly SettingSource[];
  /** What errors call the options of the library. */
  readonly names: Readonly<Record<string, string>>;
}

type Rows = Readonly<Record<string, FlagRow>>;

export function readCommandLine(command: Command, rows: Rows): CommandLine {
  return {
    flags: command.opts<Flags>(),
    typed: typedFlags(command),
    settings: settingSources(command, rows),
    names: settingNames(command, rows),
  };
}

/** What to call the options of the library in errors: the flag, or the variable that the value came from. */
export function settingNames(command: Command, rows: Rows): Record<string, string> {
  const names = command.options.map((option) => {
    const attribute = option.attributeName();
    const isFromVariable = command.getOptionValueSource(attribute) === 'env';
    const field = rows[attribute]?.option?.split('.').at(-1) ?? attribute;
    return [field, (isFromVariable ? option.envVar : option.long) ?? attribute] as const;
  });
  const known = Object.fromEntries(names);
  return { ...known, privateKey: known.privateKeyFile ?? KEY_VARIABLE };
}

function typedFlags(command: Command): Flags {
  const fromVariables = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'env');
  const left = Object.fromEntries(fromVariables.map((name) => [name, undefined]));
  return { ...command.opts<Flags>(), ...left };
}

/** Where each setting came from; of the private key only the name of its file is shown. */
function settingSources(command: Command, rows: Rows): SettingSource[] {
  const sources = command.options.flatMap((option): SettingSource[] => {
    const name = option.attributeName();
    const shown = rows[name]?.shownInReport;
    const source = command.getOptionValueSource(name);
    if (shown === undefined || source === undefined || source === 'default') return [];
    const value: unknown = command.getOptionValue(name);
    const show = shown === true ? joined : (shown as (value: unknown) => string);
    return [
      {
        name: option.long ?? name,
        source: source === 'env' ? (option.envVar ?? 'environment') : 'command line',
        value: show(value),
      },
    ];
  });
  const hasFile = sources.some(({ name }) => name === '--private-key-file');
  const hasText = (process.env[KEY_VARIABLE] ?? '') !== '';
  return hasText && !hasFile
    ? [...sources, { name: 'private key', source: KEY_VARIABLE }]
    : sources;
}

function joined(value: unknown): string {
  return [value].flat().join(', ');
}

/** The flags that name where links are read, but for a file of targets. */
export function givenSources(flags: Flags): string[] {
  const { outputsFile, stack, linksFromEnvironment, baseUrl } = flags;
  return Object.entries({
    '--outputs-file': outputsFile,
    '--stack': stack,
    '--links-from-environment': linksFromEnvironment,
    '--base-url': baseUrl,
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

/**
 * The command that checks one link again, by hand and from any folder. It holds no secret.
 *
 * @param flags all of them
 * @param typed those of the command line
 */
export function repeatCommand(link: VerifiableLink, flags: Flags, typed: Flags): string {
  const repeated = isShippedList(link.expectedAddresses)
    ? { ...link, expectedAddresses: [] }
    : link;
  const words = Object.entries<FlagRow>(FLAGS).flatMap(([key, row]) => {
    const name = key as FlagName;
    if (row.needs !== undefined && !typed[row.needs]) return [];
    const repeat = row.repeat as (...values: readonly unknown[]) => ReturnType<FlagRow['repeat']>;
    const [long = ''] = row.flag.split(' ');
    return [repeat(typed[name], repeated, flags[name])].flat().flatMap((value) => {
      if (value === undefined || value === false) return [];
      return value === true ? [long] : [long, shellWord(value)];
    });
  });
  return ['npx secure-connectivity verify', ...words].join(' ');
}

/** It need not be typed: it is what is expected where no flag says anything else. */
function isShippedList(addresses: readonly string[]): boolean {
  return addresses.join() === FIXED_CIDRS.join();
}

/** How to check, as the flags say it. @param names what errors call the options */
export function runOptions(flags: Flags, names: Readonly<Record<string, string>>): RunOptions {
  checkChat(flags);
  const isRead = (name: FlagName) => !('needs' in FLAGS[name] && FLAGS[name].needs === 'deep');
  const given = Object.keys(FLAGS)
    .map((name) => name as FlagName)
    .filter((name) => flags.deep || isRead(name));
  // People see the check of a deploy, and before they update their clients.
  const options: Record<string, unknown> = { newerClients: flags.linksFromEnvironment };
  const groups: Record<string, Record<string, unknown>> = {
    credentials: { privateKey: process.env[KEY_VARIABLE] },
  };
  for (const name of given) {
    const row = FLAGS[name];
    if (!('option' in row) || flags[name] === undefined) continue;
    const [group = '', field] = row.option.split('.');
    if (field === undefined) options[group] = flags[name];
    else groups[group] = { ...groups[group], [field]: flags[name] };
  }
  return { ...options, ...groups, environment: proxyVariables(), names };
}

/** @throws ConnectivityError `usage.invalid` */
function checkChat(flags: Flags): void {
  if (!flags.deep) return;
  const { botId = '', userId = '', retrieveChatPath: path } = flags;
  for (const [flag, value] of [
    ['--bot-id', botId],
    ['--user-id', userId],
  ] as const) {
    if (value.trim() === '') {
      throw usageError(`\`--deep\` needs \`${flag}\` beside it`);
    }
  }
  if (flags.auth === false) {
    throw usageError('`--deep` cannot be used with `--no-auth`');
  }
  if (path !== undefined && !/^\/(?!\/)[^\s?#]*$/.test(path)) {
    throw usageError(
      `\`--retrieve-chat-path\` must begin with one slash and have no query, got: "${path}"`,
    );
  }
}

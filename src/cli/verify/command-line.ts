import type { Command } from 'commander';
import type { SettingSource } from '../../verify/options.js';
import type { Flags } from './flags.js';
import { settingNames } from './setting-names.js';
import { settingSources } from './setting-sources.js';
import { typedFlags } from './typed-flags.js';

/** What the command line and its variables say, and where it came from. */
export interface CommandLine {
  readonly flags: Flags;
  /** Without what came from variables. */
  readonly typed: Flags;
  readonly settings: readonly SettingSource[];
  /** What errors call the options of the library. */
  readonly names: Readonly<Record<string, string>>;
}

export function readCommandLine(command: Command): CommandLine {
  return {
    flags: command.opts<Flags>(),
    typed: typedFlags(command),
    settings: settingSources(command),
    names: settingNames(command),
  };
}

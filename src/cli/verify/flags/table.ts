import { type Command, Option } from 'commander';
import { collect } from '../../program/arguments.js';
import { CREDENTIAL_FLAGS } from './credentials.js';
import { LINK_FLAGS } from './links.js';
import { NETWORK_FLAGS } from './network.js';
import {
  type FlagRow,
  inAnyFolder,
  type OptionName,
  type OptionValue,
  readText,
  VARIABLE_PREFIX,
} from './row.js';
import { REPORT_FLAGS, RUN_FLAGS } from './run.js';

/**
 * The flags of `verify` in the order of its help. The variables, the options of the library, the
 * settings that a report shows and the command that repeats a check all follow from these rows.
 */
export const FLAGS = {
  ...LINK_FLAGS,
  ...CREDENTIAL_FLAGS,
  ...RUN_FLAGS,
  ...REPORT_FLAGS,
  ...NETWORK_FLAGS,
};

/** The same flags by the headings of the help. */
export const FLAG_GROUPS: Readonly<Record<string, readonly FlagRow[]>> = {
  Links: Object.values(LINK_FLAGS),
  Credentials: Object.values(CREDENTIAL_FLAGS),
  Run: Object.values(RUN_FLAGS),
  Report: Object.values(REPORT_FLAGS),
  Network: Object.values(NETWORK_FLAGS),
};

type Table = typeof FLAGS;
export type FlagName = keyof Table;

type ItemOf<Row> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly read: (text: string) => infer Value }
    ? Value
    : Row extends { readonly flag: `${string}<${string}` }
      ? string
      : boolean;

type ValueOf<Row> = Row extends { readonly isRepeatable: true }
  ? readonly ItemOf<Row>[]
  : ItemOf<Row>;

/** The flags whose value is not one of their option's. */
type Misfit = {
  [Name in FlagName]: Table[Name] extends { readonly option: infer Option extends OptionName }
    ? ValueOf<Table[Name]> extends OptionValue<Option>
      ? never
      : Name
    : never;
}[FlagName];

/** The values of the command line and its variables; a misfit leaves no flag that compiles. */
export type Flags = [Misfit] extends [never] ? Values : Misfit;

type Values = { readonly [Name in FlagName]?: ValueOf<Table[Name]> };

/** The variables of `environment` that name files, for a check that runs in another folder. */
export function fileVariables(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const found = Object.values<FlagRow>(FLAGS).flatMap(({ variable, file }) => {
    const name = `${VARIABLE_PREFIX}${variable}`;
    const text = environment[name];
    return file && variable && text ? [[name, inAnyFolder(text, file)]] : [];
  });
  return Object.fromEntries(found);
}

/** @param heading of the help that the flags stand under. @default - that of all options */
export function addFlags(command: Command, rows: readonly FlagRow[], heading?: string): Command {
  for (const { flag, about, variable, read, choices, isRepeatable } of rows) {
    const option = new Option(flag, about);
    if (choices) option.choices(choices);
    if (isRepeatable) option.argParser<unknown[]>(collect(read ?? readText));
    else if (read) option.argParser<unknown>(read);
    // CI systems set variables to nothing for what is not configured.
    const name = `${VARIABLE_PREFIX}${variable}`;
    if (variable && process.env[name] !== '') option.env(name);
    if (heading !== undefined) option.helpGroup(`${heading}:`);
    command.addOption(option);
  }
  return command;
}

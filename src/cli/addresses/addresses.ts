import { Command, Option } from 'commander';
import { EXIT } from '../../codes/exit-status.js';
import { collectTexts, parseArguments } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import type { CheckFlags } from './check-addresses.js';
import type { DiffFlags, Stage } from './stage-addresses.js';

export default async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'check') return await check(rest);
  if (name === 'diff') return await diff(rest);
  const command = newCommand('addresses').helpCommand(false);
  command.command('check').description('resolve the host and compare the answers with the list');
  command
    .command('diff')
    .description('turn a newer list into a staged change without an interruption');
  if (args.length === 0) {
    command.outputHelp({ error: true });
    return EXIT.usage;
  }
  parseArguments(command, args);
  return 0;
}

const CHECK_HELP = `
Nothing is changed: a DNS answer is no reason to open a firewall.
Exit status: 0 every answer is in the list, 2 usage, 3 an address outside the list,
10 a resolver gave no answer.`;

/** Resolves the host of fixed-IP access and compares the answers with the list. */
export async function check(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity addresses check')
    .description('Resolves the host of fixed-IP access and compares the answers with the list.')
    .requiredOption('--host <name>', 'the fixed-IP API host')
    .option('--list <file>', 'list of addresses, JSON (default: the list of this package)')
    .addOption(
      new Option('--dns-server <ip[:port]>', 'query this DNS server; repeatable')
        .argParser(collectTexts)
        .default([], 'the system’s'),
    )
    .option('--timeout <duration>', 'time for each resolver', '10s')
    .addOption(
      new Option('--format <format>', 'format of the report')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', CHECK_HELP);
  const flags = parseArguments<CheckFlags>(command, args);
  const { checkAddresses } = await import('./check-addresses.js');
  return await checkAddresses(flags);
}

const DIFF_HELP = `
OLD is a list in this package's format, or the word shipped. NEW is what the vendor published: one address
or network per line, with # for comments, or a list in this package's format.
The stages are separate changes: announce, deploy everywhere; overlap, when the vendor uses the new
addresses; retire, when nothing uses the old ones any more.`;

/** Turns a vendor's new list into the next stage of a change that leaves no gap. */
export async function diff(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity addresses diff')
    .description('Turns a newer list into the next stage of a change without an interruption.')
    .argument('<old>', 'the list in use')
    .argument('<new>', 'list that the vendor has published')
    .addOption(
      new Option('--stage <stage>', 'stage of the change')
        .choices(['announce', 'overlap', 'retire'] satisfies Stage[])
        .default('announce'),
    )
    .option('--source <text>', 'where the new list was published; needed for new addresses')
    .option('--date <day>', 'day of the new list', new Date().toISOString().slice(0, 10))
    .option('--list-version <text>', 'version of the new list (default: its date)')
    .option('--allow-shrink', 'allow removing more than a quarter of the addresses')
    .option('--output <file>', 'write the list to a file (default: standard output)')
    .addHelpText('after', DIFF_HELP);
  const flags = parseArguments<DiffFlags>(command, args);
  const { stageAddresses } = await import('./stage-addresses.js');
  return await stageAddresses(command.args, flags);
}

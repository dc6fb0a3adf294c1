import { Command, Option } from 'commander';
import { EXIT } from '../../codes/exit-status.js';
import { collectTexts, parseArguments } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import type { CheckFlags } from './check-addresses.js';

export default async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'check') return await check(rest);
  const command = newCommand('addresses').helpCommand(false);
  command.command('check').description('resolve the host and compare the answers with the list');
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

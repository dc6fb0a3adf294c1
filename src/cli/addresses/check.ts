import { Command, Option } from 'commander';
import { parseArguments } from '../program/parse-arguments.js';
import type { CheckFlags } from './check-addresses.js';

const HELP = `
Nothing is changed: a DNS answer is no reason to open a firewall.
Exit status: 0 every answer is in the list, 2 usage, 3 an address outside the list,
10 a resolver gave no answer.`;

/** Resolves the host of fixed-IP access and compares the answers with the list. */
export async function check(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity addresses check')
    .description('Resolves the host of fixed-IP access and compares the answers with the list.')
    .requiredOption('--host <name>', 'the fixed-IP API host')
    .option('--list <file>', 'list of addresses, JSON (default: the list of this package)')
    .option(
      '--dns-server <ip[:port]>',
      'ask this DNS server; repeatable (default: the system’s)',
      (value: string, previous: readonly string[]) => [...previous, value],
      [] as readonly string[],
    )
    .option('--timeout <duration>', 'time for each resolver', '10s')
    .addOption(new Option('--format <format>').choices(['text', 'json']).default('text'))
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { checkAddresses } = await import('./check-addresses.js');
  return await checkAddresses(command.opts<CheckFlags>());
}

import { Command } from 'commander';
import { EXIT } from '../codes/code-facts.js';
import { check } from './addresses/check.js';
import { diff } from './addresses/diff.js';
import { parseArguments } from './program/parse-arguments.js';

const PARTS = { check, diff } as const;

export default async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (Object.hasOwn(PARTS, name)) return await PARTS[name as keyof typeof PARTS](rest);
  const command = new Command('secure-connectivity addresses')
    .description('Keeps the list of fixed addresses up to date.')
    .helpCommand(false);
  command.command('check').description('resolve the host and compare the answers with the list');
  command
    .command('diff')
    .description('turn a newer list into a staged change without an interruption');
  if (args.length > 0) return parseArguments(command, args) ?? 0;
  command.outputHelp({ error: true });
  return EXIT.usage;
}

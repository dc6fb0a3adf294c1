import { Command, Option } from 'commander';
import { parseArguments } from '../program/parse-arguments.js';
import type { DiffFlags } from './stage-addresses.js';
import { STAGES } from './stages.js';

const HELP = `
OLD is a list of this package, or the word shipped. NEW is what the vendor published: an address or
network a line with # for comments, or a list of this package.
The stages are separate changes: announce, deploy everywhere; overlap, when the vendor uses the new
addresses; retire, when nothing reaches the old ones any more.`;

/** Turns a vendor's new list into the next stage of a change that leaves no gap. */
export async function diff(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity addresses diff')
    .description('Turns a newer list into the next stage of a change without an interruption.')
    .argument('<old>', 'list in use')
    .argument('<new>', 'list that the vendor has published')
    .addOption(new Option('--stage <stage>').choices(STAGES).default('announce'))
    .option('--source <text>', 'where the new list was published; needed for new addresses')
    .option('--date <day>', 'day of the new list', new Date().toISOString().slice(0, 10))
    .option('--list-version <text>', 'version of the new list (default: its date)')
    .option('--allow-shrink', 'allow removing more than a quarter of the addresses')
    .option('--output <file>', 'write the list to a file (default: standard output)')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { stageAddresses } = await import('./stage-addresses.js');
  return await stageAddresses(command.args, command.opts<DiffFlags>());
}

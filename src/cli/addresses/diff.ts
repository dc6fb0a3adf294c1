import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { ADDRESS_STATES, type AddressList } from '../../net/address-list.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { parseArguments } from '../parse-arguments.js';
import { day, readList, readVendorList } from './read-list.js';
import { refuseShrink, STAGES, type Stage, stageList } from './stage-list.js';

interface Flags {
  readonly stage: Stage;
  readonly source?: string;
  readonly date: string;
  readonly listVersion?: string;
  readonly allowShrink?: boolean;
  readonly output?: string;
}

/** As OLD: the list that ships with this package. */
const SHIPPED = 'shipped';

const HELP = `
OLD is a list of this package, or the word ${SHIPPED}. NEW is what the vendor published: an address or
network a line with # for comments, or a list of this package.
The stages are separate changes: announce, deploy everywhere; overlap, when the vendor uses the new
addresses; retire, when nothing reaches the old ones any more.`;

/** Turns a vendor's new list into the next stage of a change that leaves no gap. */
export async function diff(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity addresses diff')
    .description('Turns a newer list into the next stage of a change that leaves no gap.')
    .argument('<old>', 'list in use')
    .argument('<new>', 'list that the vendor has published')
    .addOption(new Option('--stage <stage>').choices(STAGES).default('announce'))
    .option('--source <text>', 'where the new list was published; needed for new addresses')
    .option('--date <day>', 'day of the new list', new Date().toISOString().slice(0, 10))
    .option('--list-version <text>', 'version of the new list (default: its date)')
    .option('--allow-shrink', 'let more than a quarter of the addresses go')
    .option('--output <file>', 'write the list to a file (default: standard output)')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const [oldFile = '', newFile = ''] = command.args;
  const flags = command.opts<Flags>();
  const inUse = oldFile === SHIPPED ? FIXED_ADDRESSES : await readList('OLD', oldFile);
  const staged = stagedList(inUse, await newList(newFile, flags), flags);
  const text = `${JSON.stringify(staged, null, 2)}\n`;
  if (flags.output === undefined) process.stdout.write(text);
  else await writeFile(flags.output, text);
  process.stderr.write(summary(inUse, staged, flags.stage));
  return 0;
}

function newList(file: string, { date, source = '' }: Flags): Promise<AddressList> {
  if (day.safeParse(date).success) return readVendorList('NEW', file, { date, source });
  throw new ConnectivityError(
    'usage.invalid',
    `\`--date\` must be a date such as 2026-05-04, got: "${date}"`,
  );
}

function stagedList(inUse: AddressList, newer: AddressList, flags: Flags): AddressList {
  if (!flags.allowShrink) refuseShrink(inUse, newer);
  const version = flags.listVersion ?? newer.version;
  const staged = stageList(inUse, newer, flags.stage, version);
  const unsourced = staged.entries.find(({ source }) => source === '');
  if (unsourced === undefined) return staged;
  throw new ConnectivityError(
    'usage.invalid',
    `\`--source\` must say where new addresses were published, got: nothing for ${unsourced.address}`,
  );
}

function summary(before: AddressList, after: AddressList, stage: Stage): string {
  const states = new Map(before.entries.map(({ address, state }) => [address, state]));
  const changes = after.entries.filter(({ address, state }) => states.get(address) !== state);
  const lines = ADDRESS_STATES.flatMap((state) => {
    const own = changes.filter((entry) => entry.state === state).map(({ address }) => address);
    return own.length === 0 ? [] : [`addresses: now ${state}: ${own.join(', ')}`];
  });
  const next = STAGES[STAGES.indexOf(stage) + 1];
  const isOpen = after.entries.some(({ state }) => state === 'announced' || state === 'retiring');
  return [
    ...(lines.length === 0 ? ['addresses: nothing changes'] : lines),
    `addresses: let through: ${countOf(before)} before, ${countOf(after)} now`,
    ...(isOpen && next ? [`addresses: after the deploy, the next stage is ${next}`] : []),
    '',
  ].join('\n');
}

function countOf({ entries }: AddressList): number {
  return entries.filter(({ state }) => state !== 'removed').length;
}

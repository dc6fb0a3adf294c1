import { ConnectivityError } from '../../codes/connectivity-error.js';
import { ADDRESS_STATES, type AddressList } from '../../net/address-list.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { writeNamedFile } from '../program/write-named-file.js';
import { day, readList, readVendorList } from './read-list.js';
import { refuseShrink, STAGES, type Stage, stageList } from './stage-list.js';

export interface DiffFlags {
  readonly stage: Stage;
  readonly source?: string;
  readonly date: string;
  readonly listVersion?: string;
  readonly allowShrink?: boolean;
  readonly output?: string;
}

/** As OLD: the list that ships with this package. */
const SHIPPED = 'shipped';

/** Writes the next stage of a change from one list to another, and tells of it. */
export async function stageAddresses(
  [oldFile = '', newFile = '']: readonly string[],
  flags: DiffFlags,
): Promise<number> {
  const inUse = oldFile === SHIPPED ? FIXED_ADDRESSES : await readList('OLD', oldFile);
  const staged = stagedList(inUse, await newList(newFile, flags), flags);
  const text = `${JSON.stringify(staged, null, 2)}\n`;
  if (flags.output === undefined) process.stdout.write(text);
  else writeNamedFile('--output', flags.output, text);
  process.stderr.write(summary(inUse, staged, flags.stage));
  return 0;
}

function newList(file: string, { date, source = '' }: DiffFlags): Promise<AddressList> {
  if (day.safeParse(date).success) return readVendorList('NEW', file, { date, source });
  throw new ConnectivityError(
    'usage.invalid',
    `\`--date\` must be a date such as 2026-05-04, got: "${date}"`,
  );
}

function stagedList(inUse: AddressList, newer: AddressList, flags: DiffFlags): AddressList {
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

import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import {
  ADDRESS_STATES,
  type AddressList,
  type AddressState,
  effectiveEntries,
  type ListedAddress,
  MAX_SHRINK,
} from '../../net/address-list.js';
import { cidrsOverlap, compareCidrs, parseNetwork } from '../../net/cidr.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { writeOutput } from '../program/named-files.js';
import { day, readList, readVendorList } from './read-list.js';

const STAGES = ['announce', 'overlap', 'retire'] as const;
export type Stage = (typeof STAGES)[number];

export interface DiffFlags {
  readonly stage: Stage;
  readonly source?: string;
  readonly date: string;
  readonly listVersion?: string;
  readonly allowShrink?: boolean;
  readonly output?: string;
}

/** Writes the next stage of a change from one list to another, and tells of it. */
export async function stageAddresses(
  [oldFile = '', newFile = '']: readonly string[],
  flags: DiffFlags,
): Promise<number> {
  const { date, source = '' } = flags;
  const inUse = oldFile === 'shipped' ? FIXED_ADDRESSES : await readList('OLD', oldFile);
  if (!day.safeParse(date).success) {
    throw usageError(`\`--date\` must be a date such as 2026-05-04, got: "${date}"`);
  }
  const newer = await readVendorList('NEW', newFile, { date, source });
  const staged = stagedList(inUse, newer, flags);
  writeOutput('--output', flags.output, `${JSON.stringify(staged, null, 2)}\n`);
  process.stderr.write(summary(inUse, staged, flags.stage));
  return 0;
}

function stagedList(inUse: AddressList, newer: AddressList, flags: DiffFlags): AddressList {
  if (!flags.allowShrink) refuseShrink(inUse, newer);
  refuseMixedForms(inUse, newer);
  const entries = stageEntries(inUse, newer, flags.stage);
  const unsourced = entries.find(({ source }) => source === '');
  if (unsourced === undefined) return { version: flags.listVersion ?? newer.version, entries };
  throw usageError(
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
    `addresses: allowed: ${effectiveEntries(before).length} before, ${effectiveEntries(after).length} now`,
    ...(isOpen && next ? [`addresses: after the deploy, the next stage is ${next}`] : []),
    '',
  ].join('\n');
}

/**
 * The list in use, moved one step towards a newer one. No entry skips a step: an address that is new
 * is announced, one that is gone retires, and only what was retiring before is removed, so that both
 * lists are let through until `retire`.
 *
 * - `announce` adds what is new;
 * - `overlap` makes announced addresses active, and those that are gone retiring;
 * - `retire` also removes those that were retiring.
 */
function stageEntries(inUse: AddressList, newer: AddressList, stage: Stage): ListedAddress[] {
  const wanted = new Set(effectiveEntries(newer).map(addressKey));
  const known = new Set(inUse.entries.map(addressKey));
  const kept = inUse.entries.map((entry) => ({
    ...entry,
    state: nextState(entry.state, wanted.has(addressKey(entry)), stage),
  }));
  const added = effectiveEntries(newer)
    .filter((entry) => !known.has(addressKey(entry)))
    .map((entry) => ({ ...entry, state: 'announced' as const }));
  return [...kept, ...added].sort((a, b) =>
    compareCidrs(parseNetwork(a.address), parseNetwork(b.address)),
  );
}

/** @throws ConnectivityError `addresses.invalid` when more than a quarter would go away at once */
function refuseShrink(inUse: AddressList, newer: AddressList): void {
  const before = effectiveEntries(inUse).length;
  const now = effectiveEntries(newer).length;
  if (now >= before * (1 - MAX_SHRINK)) return;
  throw new ConnectivityError(
    'addresses.invalid',
    `\`NEW\` must not have more than a quarter fewer addresses, got: ${now} of ${before}; add --allow-shrink if this is intended`,
  );
}

function nextState(state: AddressState, isWanted: boolean, stage: Stage): AddressState {
  if (isWanted) {
    if (state === 'removed') return 'announced';
    return state === 'announced' && stage === 'announce' ? 'announced' : 'active';
  }
  if (state === 'removed' || stage === 'announce') return state;
  return state === 'retiring' && stage === 'retire' ? 'removed' : 'retiring';
}

/** A network beside its own addresses would be let through twice and retire only once. */
function refuseMixedForms(inUse: AddressList, newer: AddressList): void {
  for (const { address } of newer.entries) {
    const other = inUse.entries.find(
      (entry) =>
        addressKey(entry) !== addressKey({ address }) &&
        cidrsOverlap(parseNetwork(entry.address), parseNetwork(address)),
    );
    if (other === undefined) continue;
    throw new ConnectivityError(
      'addresses.invalid',
      `\`NEW\` must write networks as \`OLD\` does, got: ${address} where \`OLD\` has ${other.address}`,
    );
  }
}

function addressKey({ address }: Pick<ListedAddress, 'address'>): string {
  return parseNetwork(address).text;
}

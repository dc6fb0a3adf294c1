import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { AddressList, AddressState, ListedAddress } from '../../net/address-list.js';
import { cidrsOverlap, compareCidrs } from '../../net/cidr.js';
import { networkOf } from './compare.js';

/** The stages of a change, in order. */
export const STAGES = ['announce', 'overlap', 'retire'] as const;
export type Stage = (typeof STAGES)[number];

/** The largest part of a list that may go away at once. */
const MOST_SHRINK = 0.25;

/**
 * The list in use, moved one step towards a newer one. No entry skips a step: an address that is new
 * is announced, one that is gone retires, and only what was retiring before is removed, so that both
 * lists are let through until `retire`.
 *
 * - `announce` adds what is new;
 * - `overlap` makes announced addresses active, and those that are gone retiring;
 * - `retire` also removes those that were retiring.
 */
export function stageList(
  inUse: AddressList,
  newer: AddressList,
  stage: Stage,
  version: string,
): AddressList {
  refuseMixedForms(inUse, newer);
  const wanted = new Set(newer.entries.filter(isLetThrough).map(keyOf));
  const known = new Set(inUse.entries.map(keyOf));
  const kept = inUse.entries.map((entry) => ({
    ...entry,
    state: nextState(entry.state, wanted.has(keyOf(entry)), stage),
  }));
  const added = newer.entries
    .filter((entry) => isLetThrough(entry) && !known.has(keyOf(entry)))
    .map((entry) => ({ ...entry, state: 'announced' as const }));
  const entries = [...kept, ...added].sort((a, b) =>
    compareCidrs(networkOf(a.address), networkOf(b.address)),
  );
  return { version, entries };
}

/** @throws ConnectivityError `addresses.invalid` when more than a quarter would go away at once */
export function refuseShrink(inUse: AddressList, newer: AddressList): void {
  const [before, now] = [inUse, newer].map((list) => list.entries.filter(isLetThrough).length);
  if ((now ?? 0) >= (before ?? 0) * (1 - MOST_SHRINK)) return;
  throw new ConnectivityError(
    'addresses.invalid',
    `\`NEW\` must not have more than a quarter fewer addresses, got: ${now} of ${before}; give --allow-shrink if it is meant`,
  );
}

function nextState(state: AddressState, isWanted: boolean, stage: Stage): AddressState {
  if (isWanted) return wantedState(state, stage);
  if (state === 'removed' || stage === 'announce') return state;
  return state === 'retiring' && stage === 'retire' ? 'removed' : 'retiring';
}

function wantedState(state: AddressState, stage: Stage): AddressState {
  if (state === 'removed') return 'announced';
  if (state === 'announced' && stage === 'announce') return 'announced';
  return 'active';
}

/** A network beside its own addresses would be let through twice and retire only once. */
function refuseMixedForms(inUse: AddressList, newer: AddressList): void {
  for (const { address } of newer.entries) {
    const other = inUse.entries.find(
      (entry) =>
        keyOf(entry) !== keyOf({ address }) &&
        cidrsOverlap(networkOf(entry.address), networkOf(address)),
    );
    if (other === undefined) continue;
    throw new ConnectivityError(
      'addresses.invalid',
      `\`NEW\` must write networks as \`OLD\` does, got: ${address} where \`OLD\` has ${other.address}`,
    );
  }
}

function isLetThrough({ state }: ListedAddress): boolean {
  return state !== 'removed';
}

function keyOf({ address }: Pick<ListedAddress, 'address'>): string {
  return networkOf(address).text;
}

import { groupBy } from '../../lists/group-by.js';
import { FIXED_ADDRESSES } from '../../net/fixed-addresses.js';
import { fingerprint } from '../../reach/read/terraform-json.js';
import { type Change, changeId } from '../packet-changes.js';
import { accessFinding } from '../packet-rows.js';
import type { Finding } from '../report-schema.js';

/** The number of rows, differing only in single addresses, from which on they become one. */
const MIN_FOLDED = 5;

/** The limit of addresses in such a row, as all of them are named. */
const MAX_FOLDED = 64;

/** Adjacent addresses are one range of a set. */
const MAX_ADJACENT = 3n;

/** The number of addresses of the shipped list that are named: everybody can look up the others. */
const NAMED = 3;

const SHIPPED: ReadonlySet<string> = new Set(FIXED_ADDRESSES.entries.map(({ address }) => address));

/**
 * Makes a row of each change, and one of a list of single addresses, such as those that a vendor publishes: no
 * network is folded, so that its size is seen, and no address hides among others.
 */
export function accessFindings(changes: readonly Change[]): Finding[] {
  const alike = groupBy(changes, (change) => {
    if (!isFew(change)) return change;
    const { peer: _, addresses: __, at, ...rest } = change;
    return JSON.stringify([rest, at.answers]);
  });
  return [...alike.values()].flatMap((all) =>
    all.length < MIN_FOLDED || all.length > MAX_FOLDED
      ? all.map((one) => accessFinding(one))
      : [folded(all)],
  );
}

/** Tells whether a change is about a few adjacent addresses. */
function isFew({ at: { peer, range } }: Change): boolean {
  return peer.kind === 'addresses' && range.last - range.first < MAX_ADJACENT;
}

function folded(all: readonly [Change, ...Change[]]): Finding {
  const [first] = all;
  // So few addresses are written one by one.
  const addresses = all.flatMap(({ peer }) => peer.split(', '));
  const isShipped = addresses.every((address) => SHIPPED.has(address));
  const peer = isShipped
    ? `${addresses.length} addresses of the list of ${FIXED_ADDRESSES.version}: ${addresses.slice(0, NAMED).join(', ')}, …`
    : addresses.join(', ');
  return {
    ...accessFinding({ ...first, peer, addresses: String(addresses.length) }),
    identity: [first.effect, fingerprint(all.map(changeId))],
  };
}

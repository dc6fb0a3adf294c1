import { groupBy } from '../../reach/group-by.js';
import { fingerprint } from '../../reach/read/terraform-json.js';
import { accessFinding, type Change } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';

/** So many rows that differ in single addresses alone become one. */
const MIN_FOLDED = 5;

/** So many addresses of a folded row are named. */
const NAMED = 3;

/**
 * Makes a row of each change, and one of a list of single addresses, such as those that a vendor publishes: no
 * network is folded, so that its size is seen.
 */
export function accessFindings(changes: readonly Change[]): Finding[] {
  const alike = groupBy(changes, (change) => {
    const { peer: _, identity, addresses, at, ...rest } = change;
    const isSingle = at.peer.kind === 'addresses' && Number(addresses) <= NAMED;
    return JSON.stringify(isSingle ? rest : identity);
  });
  return [...alike.values()].flatMap((all) =>
    all.length < MIN_FOLDED ? all.map(accessFinding) : [folded(all)],
  );
}

function folded(all: readonly [Change, ...Change[]]): Finding {
  const [first] = all;
  const count = all.reduce((sum, { addresses }) => sum + Number(addresses), 0);
  const named = all.slice(0, NAMED).map(({ peer }) => peer);
  const peer = `${count} addresses: ${named.join(', ')}, …`;
  return {
    ...accessFinding({ ...first, peer, addresses: String(count) }),
    identity: [first.effect, fingerprint(all.map(({ identity }) => identity))],
  };
}

import { groupBy } from '../../lists/group-by.js';
import { MAX_SHRINK } from '../../net/address-list.js';
import { networkPeer, peerName } from '../../reach/packet-rule.js';
import { list, object, text } from '../../reach/read/json.js';
import {
  type TerraformResource,
  type TerraformStackJson,
  withPlainReferences,
} from '../../reach/read/terraform-json.js';
import { writtenAddresses } from '../../reach/rules/peers.js';
import { type Cell, type Region, splitParts, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING, intersect, servicesText } from '../../reach/sets/services.js';
import { readConnectivity } from '../effective-rules/links.js';
import { networksBeside } from '../effective-rules/networks.js';
import type { Finding, ReviewReport } from '../report-schema.js';
import type { ReviewedStack, StackPair } from '../stacks/reviewed-trees.js';

export function changedAddressLists(pair: StackPair): ReviewReport['addressLists'] {
  const [before, after] = [readLists(pair.was), readLists(pair.now)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [was, now] = [before.get(name), after.get(name)];
    const [old, current] = [was?.entries ?? [], now?.entries ?? []];
    const source = now?.source ?? was?.source;
    const change = {
      stack: pair.name,
      list: name,
      ...(source !== undefined && { source }),
      ...(was?.version !== undefined && { versionWas: was.version }),
      ...(now?.version !== undefined && { versionNow: now.version }),
      added: entriesBeside(current, old),
      removed: entriesBeside(old, current),
    };
    const isChanged =
      change.added.length + change.removed.length > 0 || was?.version !== now?.version;
    return isChanged ? [change] : [];
  });
}

/** Lists of their own, and resources whose tags name the version of a list that they were made from. */
function readLists({ resources }: TerraformStackJson) {
  return new Map(
    resources.flatMap((resource) => {
      const written = writtenAddresses(resource);
      const version = findTag(resource.body, /^(?:address-?)?list-?version$/i);
      const source = findTag(resource.body, /^(?:address-?)?list-?source$/i);
      if (written === undefined && version === undefined) return [];
      const entries = (written ?? []).flatMap(({ addresses }) => addresses.map(text));
      return [[resource.address, { entries, version, source }] as const];
    }),
  );
}

function findTag(body: TerraformResource['body'], key: RegExp): string | undefined {
  const found = list(body.tags).find((entry) => key.test(text(object(entry).key)));
  return found === undefined ? undefined : text(object(found).value);
}

/** Entries that hold what others do not; `192.0.2.1` and `192.0.2.1/32` are one entry. */
function entriesBeside(own: readonly string[], others: readonly string[]): string[] {
  const texts = networksBeside(own, others).map((entry) => {
    const peer = networkPeer(entry);
    return peer.kind === 'addresses' ? peerName(peer) : peer.name;
  });
  return [...new Set(texts)].sort();
}

/** Base URLs that clients call. */
export function changedDomains(pair: StackPair): ReviewReport['domains'] {
  const links = new Map(readConnectivity(pair.now).map((link) => [link.name, link.baseUrl]));
  return readConnectivity(pair.was).flatMap(({ name, baseUrl }) => {
    const now = links.get(name);
    if (now === baseUrl) return [];
    const changed = { stack: pair.name, link: name, was: withPlainReferences(baseUrl) };
    return [{ ...changed, ...(now !== undefined && { now: withPlainReferences(now) }) }];
  });
}

/**
 * The `ticket` tag that most resources of a stack carry. It is of the stack, not of a change: a
 * ticket that was there before says nothing about what is new.
 */
export function changedTicket({ name: stack, was, now }: StackPair): ReviewReport['tickets'] {
  const [base, head] = [findTicket(was), findTicket(now)];
  if (base === undefined && head === undefined) return [];
  return [{ stack, ...(base !== undefined && { base }), ...(head !== undefined && { head }) }];
}

function findTicket({ resources }: TerraformStackJson): string | undefined {
  const tickets = resources.flatMap(({ body }) => findTag(body, /^ticket$/) ?? []);
  const byTicket = [...groupBy(tickets, (ticket) => ticket)];
  return byTicket.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Counts addresses to which anything at all is open; only subjects whose addresses changed. */
export function changedReach(a: Region, b: Region): ReviewReport['reach'] {
  const counted = new Map<string, Readonly<{ cell: Cell; addresses: Addresses }>>();
  for (const { key, cell, pair } of splitParts(a, b)) {
    const { addresses } = counted.get(key) ?? { addresses: { ...NONE } };
    counted.set(key, { cell, addresses });
    const size = pair.last - pair.first + 1n;
    const [was, now] = [pair.a.length > 0, pair.b.length > 0];
    if (was) addresses.was += size;
    if (now) addresses.now += size;
    if (now && !was) addresses.gained += size;
    if (was && !now) addresses.lost += size;
  }
  return [...counted.values()].flatMap(({ cell, addresses: { was, now, gained, lost } }) => {
    const { stack, via, direction, subject, peer } = cell;
    if (peer.kind !== 'addresses' || (gained === 0n && lost === 0n)) return [];
    return [
      {
        ...{ stack, via, direction, subject, family: peer.family },
        ...{ was: String(was), now: String(now) },
        newlyReachable: String(gained),
        noLongerReachable: String(lost),
      },
    ];
  });
}

const NONE = { was: 0n, now: 0n, gained: 0n, lost: 0n };

type Addresses = typeof NONE;

/** Accounts, connections and groups that appeared or went away. */
export function changedNamedPeers(a: Region, b: Region): ReviewReport['namedPeers'] {
  const named = (all: Region) =>
    new Map([...all].filter(([, { peer }]) => peer.kind !== 'addresses'));
  return [...splitParts(named(a), named(b))].flatMap(({ cell: { peer, stack, subject }, pair }) => {
    if (peer.kind === 'addresses' || intersect(pair.a, pair.b).length > 0) return [];
    const effect = pair.b.length > 0 ? ('gained' as const) : ('lost' as const);
    return [{ effect, kind: peer.kind, name: peer.name, stack, subject }];
  });
}

/** Returns the options for fixed addresses whose lists lose more than a quarter of their addresses at once. */
export function findShrunkLists({ before, after }: StackPair): Finding[] {
  const kept = new Set(after?.rules.map(({ via }) => via));
  return changedReach(listsOf(before), listsOf(after)).flatMap((change): Finding[] => {
    const { stack, via, was, now, noLongerReachable: lost } = change;
    // That an option is gone is told as that.
    if (!kept.has(via) || Number(lost) <= Number(was) * MAX_SHRINK) return [];
    return [
      {
        ...{ kind: 'safeguard', decision: 'needs-approval', stack, resource: 'access.json' },
        ...{ who: '', what: `addresses of ${via}`, identity: ['shrunk', via, was, now, lost] },
        ...{ before: `${was} addresses`, after: `${now} addresses` },
        consequence: `the list loses more than a quarter at once: ${lost} of ${was} addresses`,
      },
    ];
  });
}

/** The port of name servers, which are in no list. */
const NAMES = /^(?:(?:tcp|udp) 53(?:, )?)+$/;

/** The addresses of lists, on whichever ports and whatever enforces them; none of name servers. */
function listsOf(stack: ReviewedStack | undefined): Region {
  const listed = (stack?.rules ?? []).filter(
    ({ via, services }) => via.startsWith('fixed-ip-') && !NAMES.test(servicesText(services)),
  );
  return toRegion(
    listed.map(({ stack, via, direction, peer }) => {
      return { stack, via, direction, peer, services: EVERYTHING };
    }),
  );
}

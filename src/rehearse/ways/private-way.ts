import { networkPeer, rangeText } from '../../reach/packet-rule.js';
import { toName } from '../../reach/read/cloud-state.js';
import { text } from '../../reach/read/json.js';
import { combine, meet, type OpenRanges, uniteAll } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { subtract, toServices } from '../../reach/sets/services.js';
import type { Reached } from '../../reach/ways/doors.js';
import { clientsOf, endpointAt } from '../../reach/ways/link-ways.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { vpcNetworks } from '../../sandbox/network/places.js';

/** The port of the public service. */
const HTTPS_PORT = 443;

/** The way of clients of a VPC to a name that leads to a private address now, and no longer to a public one. */
export interface PrivateWay {
  /** The clients of the VPC that no rule lets in there; empty where all are let in. */
  readonly keptOut: string;
  /** The clients that are let in there, where nobody says which networks the VPC has; else empty. */
  readonly letIn: string;
  /** The clients of whom it is in doubt whether rules let them in there; else empty. */
  readonly unclear: string;
  /** True if the address is in another VPC: no tree says whether there is a route. */
  readonly isElsewhere: boolean;
  readonly key: string;
}

/** One state of the cloud, with its ways. */
interface Seen {
  readonly cloud: CloudState;
  readonly reached: Reached;
}

/**
 * Finds what stands between clients of a VPC and the private addresses of a name; undefined where all of them
 * get there.
 *
 * @param isStandIn whether nobody says which networks the VPC has
 */
export function privateWay(
  { cloud, reached }: Seen,
  vpc: string,
  addresses: readonly string[],
  isStandIn: boolean,
): PrivateWay | undefined {
  const { least, most } = boundsAt({ reached }, addresses);
  const own = ownClients(cloud, vpc);
  const [theirs, others] = [meet(own, least), combine(own, most, subtract)];
  const isUnclear = isStandIn && theirs.length > 0;
  const keptOut = isUnclear ? '' : rangesText(others);
  const unclear = rangesText(combine(meet(own, most), least, subtract));
  const at = endpointAt(reached, addresses[0] ?? '')?.body.vpc_id;
  const [vpcThere] = (reached.index.named(at)?.address ?? text(at)).split('.').toReversed();
  const isElsewhere = toName(vpcThere ?? '') !== toName(vpc);
  if (keptOut === '' && unclear === '' && !isElsewhere) return undefined;
  const letIn = isUnclear ? rangesText(theirs) : '';
  const key = [keptOut, letIn, unclear, isElsewhere].join();
  return { keptOut, letIn, unclear, isElsewhere, key };
}

/** The way of clients of a VPC to a name that led to private addresses at first, and leads to private ones now. */
export interface MovedWay {
  /** The addresses where an endpoint was at first, and none is now. */
  readonly dead: string;
  /** The clients of the VPC that were let in at first and are not let in at the addresses of now. */
  readonly keptOut: string;
}

/**
 * Finds what has become of a private name; undefined where it leads to the same places as at first, or to
 * others that let the same clients in. Nothing is lost for certain where no endpoint was behind it at first.
 */
export function movedWay(
  [first, now]: readonly [Seen, Seen],
  vpc: string,
  [was, is]: readonly [readonly string[], readonly string[]],
): MovedWay | undefined {
  const isSame = was.toSorted().join() === is.toSorted().join();
  const isAt = ({ reached }: Seen, address: string) => endpointAt(reached, address) !== undefined;
  if (!was.every((address) => isAt(first, address)))
    return isSame ? undefined : { dead: '', keptOut: '' };
  const dead = is.filter((address) => !isAt(now, address)).join(', ');
  if (dead !== '') return { dead, keptOut: '' };
  if (isSame) return undefined;
  const own = ownClients(first.cloud, vpc);
  const lost = combine(boundsAt(first, was).least, boundsAt(now, is).least, subtract);
  const keptOut = rangesText(meet(own, lost));
  return keptOut === '' ? undefined : { dead, keptOut };
}

const NOBODY: { readonly most: OpenRanges; readonly least: OpenRanges } = { most: [], least: [] };

/** The clients that are let in at all of the addresses, for certain or perhaps. */
function boundsAt({ reached }: Pick<Seen, 'reached'>, addresses: readonly string[]) {
  const bounds = addresses.map((address) => clientsOf(reached, address, HTTPS_PORT) ?? NOBODY);
  return {
    least: bounds.map((one) => one.least).reduce(meet),
    most: bounds.map((one) => one.most).reduce(meet),
  };
}

function ownClients(cloud: CloudState, vpc: string): OpenRanges {
  const services = toServices('tcp', { first: HTTPS_PORT, last: HTTPS_PORT });
  const networks = vpcNetworks(cloud, vpc);
  return uniteAll(networks.map((cidr) => toRange({ peer: networkPeer(cidr), services })));
}

function rangesText(open: OpenRanges): string {
  return open.map(({ first, last }) => rangeText(4, first, last)).join(', ');
}

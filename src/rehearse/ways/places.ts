import { clbClb } from '../../cloud/table/clb.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
} from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { groupBy } from '../../lists/group-by.js';
import type { PacketRule } from '../../reach/packet-rule.js';
import { withPlainReferences } from '../../reach/read/terraform-json.js';

/** Begins the way of packets on which one of several places decides, which follows. */
export const THROUGH = 'through ';
export const THROUGH_FIREWALL = `${THROUGH}Cloud Firewall`;

/**
 * Adds to a rule the place that applies it, where its subject has several of one kind among all rules. A firewall decides for
 * each own address apart, and a group for those alone who have it, as endpoints and load balancers do for those who
 * call them: what one loses another does not make good.
 */
export function placeRules(all: readonly PacketRule[], nameOf: PlaceNames) {
  const keyOf = ({ direction, subject }: PacketRule, place: Place | undefined) =>
    JSON.stringify([direction, subject, place?.kind]);
  const placed = all.map((rule) => ({ rule, place: placeOf(rule, nameOf) }));
  const groups = groupBy(placed, ({ rule, place }) => keyOf(rule, place));
  const severals = new Set(
    [...groups]
      .filter(([, own]) => new Set(own.map(({ place }) => place?.at)).size > 1)
      .map(([key]) => key),
  );
  return ({ carrier, ...rule }: PacketRule): PacketRule => {
    const place = placeOf({ ...rule, carrier }, nameOf);
    if (place === undefined) return rule;
    const isOneOfSeveral = severals.has(keyOf(rule, place));
    if (place.kind === FIREWALL)
      return { ...rule, via: `${THROUGH_FIREWALL}${isOneOfSeveral ? ` at ${place.at}` : ''}` };
    return isOneOfSeveral ? { ...rule, via: `${THROUGH}${place.at}` } : rule;
  };
}

interface Place {
  /** Its type in Terraform, or a firewall. */
  readonly kind: string;
  /** The own address behind a firewall, or the name of a resource. */
  readonly at: string;
}

type PlaceNames = (carrier: string) => string;

const FIREWALL = 'firewall';
const PLACES = [vpcSecurityGroup, privatelinkVpcEndpoint, privatelinkEndpointService, clbClb];

function placeOf({ carrier = '' }: PacketRule, nameOf: PlaceNames): Place | undefined {
  const [, address] = /^Cloud Firewall, \w+ of (.*)$/.exec(carrier) ?? [];
  if (address !== undefined) return { kind: FIREWALL, at: address };
  const row = PLACES.find(({ type }) => carrier.startsWith(`${type}.`));
  return row && { kind: row.type, at: nameOf(carrier) };
}

/**
 * Names places by their addresses, for what replaces another resource has the address of that. Two that are there at
 * once, at first or in the end, are of two stacks and also have their identifiers.
 */
export function namePlaces(
  ends: readonly ReadonlySet<string>[],
  addressOf: PlaceNames,
): PlaceNames {
  const shared = new Set(
    ends.flatMap((carriers) =>
      [...groupBy([...carriers], addressOf)].flatMap(([address, all]) =>
        all.length > 1 ? [address] : [],
      ),
    ),
  );
  return (carrier) => {
    const address = addressOf(carrier);
    const [, id = carrier] = /^\w+\.([\w-]+)/.exec(carrier) ?? [];
    return shared.has(address) ? `${address} (${id})` : address;
  };
}

/** Adds the address that people know an object by, if no access rule names it. */
export function withAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return withPlainReferences(text).replaceAll(
    /volcenginecc_\w+\.([\w-]+)/g,
    (whole, id: string) => addresses.get(id) ?? whole,
  );
}

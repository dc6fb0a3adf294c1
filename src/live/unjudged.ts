import { nameSome } from '../lists/counted.js';
import { groupBy } from '../lists/group-by.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import type { CloudName } from './leads.js';
import type { ReadObjects } from './read-outward.js';

/** The number of a firewall's rules that are written out. */
const MAX_RULES = 3;

/** Describes parts that act on packets and are read, but not judged, as clauses. */
export function describeUnjudged(
  { resources }: Pick<ReadObjects, 'resources'>,
  addressOf: (name: CloudName) => string,
): string[] {
  const each = (cloudType: string) =>
    Object.entries(resources[cloudType] ?? {}).map(([identifier, body]) => ({
      address: addressOf({ cloudType, identifier }),
      body,
    }));
  return [
    ...each('Volcengine::VPC::RouteTable').flatMap(({ address, body }) => {
      const routes = list(body.CustomRouteEntries).map((route) => {
        const { DestinationCidrBlock: to, NextHopType: kind, NextHopId: hop } = object(route);
        return `${text(to)} to ${text(kind)} ${text(hop)}`;
      });
      return routes.length === 0
        ? []
        : [`${address}: its routes are not judged: ${routes.join(', ')}`];
    }),
    ...each('Volcengine::CLB::Rule').map(
      ({ address, body }) =>
        `${address}: a rule of layer 7 is not judged: ${text(body.Domain)}${text(body.Url)}`,
    ),
    ...each('Volcengine::VPC::NetworkAcl').map(
      ({ address }) => `${address}: a network ACL also decides on replies, which are not judged`,
    ),
    ...each('Volcengine::NatGateway::Dnatentry').map(({ address, body: { Protocol, ...body } }) => {
      const [from, to] = [
        `${text(body.ExternalIp)}:${text(body.ExternalPort)}`,
        `${text(body.InternalIp)}:${text(body.InternalPort)}`,
      ];
      return `${address}: a DNAT entry is not judged: ${text(Protocol)} ${from} is sent on to ${to}`;
    }),
    ...describeFirewalls(each('Volcengine::FWCenter::VpcFirewallAclRule')),
    ...each('Volcengine::PrivateZone::UserVPCAuthorization').map(
      ({ body }) =>
        `private zones are shared with account ${text(body.AccountID)}: those of it that answer in this account's networks are not shown`,
    ),
  ];
}

/** A clause for each firewall, which may have hundreds of rules. */
function describeFirewalls(rules: readonly { readonly body: Json }[]): string[] {
  const firewalls = groupBy(rules, ({ body }) => text(body.VpcFirewallId));
  return [...firewalls].map(([id, all]) => {
    const written = all.map(({ body }) =>
      [body.Action, body.Source, 'to', body.Destination, body.Proto, body.DestPort]
        .map(text)
        .join(' ')
        .trimEnd(),
    );
    return `VPC firewall ${id}: its rules are not judged: ${nameSome(written, MAX_RULES)}`;
  });
}

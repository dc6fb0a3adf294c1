import { readLinksTemplate } from '../link/link-template.js';
import { isInZone } from '../net/host-name.js';
import type { Told } from '../reach/read/cloud-state.js';
import { list, object, text } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import type { TerraformResource, TerraformStackJson } from '../reach/read/terraform-json.js';
import { ResourceIndex } from '../reach/rules/reading.js';
import {
  addressOrId,
  allRecordsOf,
  answerName,
  differingZones,
  ENDPOINT,
  isInForce,
  nameOf,
  RECORD,
  recordName,
  vpcsOf,
  ZONE,
} from '../reach/ways/resolve-name.js';

const RULE = 'volcenginecc_privatezone_resolver_rule';

/** The names that a stack's clients ask for, and the VPCs that they ask in. */
interface Questions {
  readonly names: readonly string[];
  readonly vpcs: readonly string[];
}

/**
 * Finds zones and records of others that change the answer for a name that the stack uses, each beside the stack's own
 * alone, and resolver rules that may.
 *
 * @param known the addresses of what is Terraform's
 * @param hosts names that the stack uses beside those of its zones
 */
export function strangeAnswers(
  resources: readonly TerraformResource[],
  known: ReadonlySet<string>,
  hosts: readonly string[],
): Told[] {
  const all = new ResourceIndex(resources);
  const own = resources.filter(({ address }) => known.has(address));
  const asked = questionsOf(new ResourceIndex(own), hosts);
  const strange = (type: string) => all.ofType(type).filter(({ address }) => !known.has(address));
  return [
    ...strange(RECORD).flatMap((record): Told[] => {
      const { host, value } = record.body;
      const clause = `${text(host)} resolves to ${text(value)} as well`;
      const isTold = changedBy([record], own, asked) !== undefined;
      return isTold ? [{ address: record.address, clause }] : [];
    }),
    ...strange(ZONE).flatMap((zone): Told[] => {
      const its = [zone, ...allRecordsOf(zone, all)];
      const name = changedBy(its, own, asked);
      if (name === undefined) return [];
      const asking = { vpcs: vpcsOf(zone), elsewhere: () => undefined };
      const { records } = answerName(new ResourceIndex(its), name, asking);
      const what = records.map(({ body }) => text(body.value)).join(', ') || 'no address';
      const clause = `the zone ${nameOf(zone)} answers for ${name} as well, with ${what}`;
      return [{ address: zone.address, clause }];
    }),
    ...all.ofType(RULE).flatMap((rule) => answerOfRule(rule, asked)),
  ];
}

function questionsOf(own: ResourceIndex, hosts: readonly string[]): Questions {
  const records = own.ofType(RECORD).filter(isInForce);
  const networks = own.all.flatMap((one) => [addressOrId(one.body.vpc_id), ...vpcsOf(one)]);
  return {
    names: [...new Set([...hosts, ...records.map((one) => recordName(one, own))])],
    vpcs: [...new Set(networks)].filter((vpc) => vpc !== ''),
  };
}

/** Returns the first name that is answered otherwise with something of others. */
function changedBy(
  more: readonly TerraformResource[],
  own: readonly TerraformResource[],
  { names, vpcs }: Questions,
): string | undefined {
  const [was, now] = [new ResourceIndex(own), new ResourceIndex([...own, ...more])];
  const answerIn = (index: ResourceIndex, name: string, vpc: string) => {
    const asking = { vpcs: [vpc], elsewhere: () => undefined };
    const { isPrivate, addresses } = answerName(index, name, asking);
    return JSON.stringify([isPrivate, addresses.toSorted(), differingZones(index, name, asking)]);
  };
  return names.find((name) =>
    vpcs.some((vpc) => answerIn(was, name, vpc) !== answerIn(now, name, vpc)),
  );
}

/** A rule sends questions for its zones and all below them to servers that nothing is known of. */
function answerOfRule(rule: TerraformResource, { names, vpcs }: Questions): Told[] {
  const { enable, type, zone_name: zones, vp_cs: bound, forward_i_ps: servers } = rule.body;
  const isAsked = list(bound).some((one) => vpcs.includes(addressOrId(object(one).vpc_id)));
  if (enable === false || type !== 'OUTBOUND' || !isAsked) return [];
  const forwarded = text(zones)
    .toLowerCase()
    .split(',')
    .map((one) => one.trim().replace(/^\*\.?/, ''));
  // An empty name is the root, which covers every name.
  const name = names.find((one) => forwarded.some((zone) => zone === '' || isInZone(one, zone)));
  if (name === undefined) return [];
  const to = list(servers).map((one) => text(object(one).ip));
  const clause = `a resolver rule may send questions for ${name} to ${to.join(', ')}`;
  return [{ address: rule.address, clause }];
}

/** Returns the names that a stack's clients look up: hosts of its links, and domains of its endpoints. */
export function hostsOf(
  { terraform: { outputs } }: Pick<SynthesizedStack, 'terraform'>,
  resources: readonly TerraformResource[],
): string[] {
  const links = Object.values(outputs).flatMap(
    (output) => readLinksTemplate(object(output).value)?.links ?? [],
  );
  const hosts = links.flatMap(({ baseUrl, tlsServerName }) => {
    const url = text(baseUrl);
    return [URL.canParse(url) ? new URL(url).hostname : '', text(tlsServerName)];
  });
  const endpoints = resources.filter(({ type }) => type === ENDPOINT).map(({ body }) => body);
  const domains = endpoints.flatMap((endpoint) => [
    endpoint.endpoint_domain,
    endpoint.private_dns_name,
    ...list(endpoint.zones).map((zone) => object(zone).zone_domain),
  ]);
  const all = [...hosts, ...domains.map(text)].map((host) => host.toLowerCase());
  return all.filter((host) => /^[a-z0-9.-]+$/.test(host));
}

const CONNECTED = 'Connected';

/**
 * Finds the addresses that endpoints have no longer or have anew, with the names that still lead to an old one, and
 * connections that were accepted and are not any more.
 */
export function endpointChanges(was: TerraformStackJson, now: TerraformStackJson): Told[] {
  const live = new ResourceIndex(now.resources);
  return was.resources.flatMap(({ type, address, body }): Told[] => {
    const there = live.at(address)?.body;
    if (type !== ENDPOINT || there === undefined) return [];
    const [before, after] = [addressesByZone(body), addressesByZone(there)];
    const clauses = [...new Set([...before.keys(), ...after.keys()])].flatMap((zone) => {
      const [old, other] = [before.get(zone), after.get(zone)];
      return old === other || old === '' || other === ''
        ? []
        : `${changeText(zone, old, other)}${stillText(old, live)}`;
    });
    const status = text(there.connection_status);
    const isLost = body.connection_status === CONNECTED && ![CONNECTED, ''].includes(status);
    const lost = isLost ? [`its connection is ${status}, was ${CONNECTED}`] : [];
    return [...clauses, ...lost].map((clause) => ({ address, clause }));
  });
}

/** The addresses of each zone, those of both families as one text. */
function addressesByZone({ zones }: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    list(zones).map((zone) => {
      const { zone_id: id, private_ip_address: v4, private_ipv_6_address: v6 } = object(zone);
      const addresses = [v4, v6].map(text).filter((one) => one !== '');
      return [text(id), addresses.join(' and ')];
    }),
  );
}

function changeText(zone: string, old: string | undefined, now: string | undefined): string {
  if (old === undefined) return `address ${now} in ${zone} was added`;
  return now === undefined
    ? `its address ${old} in ${zone} was removed`
    : `its address in ${zone} is ${now}, was ${old}`;
}

/** Names the records in force that lead to an address which the endpoint does not have any more. */
function stillText(old: string | undefined, live: ResourceIndex): string {
  const records = live
    .ofType(RECORD)
    .filter((one) => isInForce(one) && (old ?? '').split(' and ').includes(text(one.body.value)));
  const names = [...new Set(records.map((one) => recordName(one, live)))];
  if (names.length === 0) return '';
  return `; ${names.join(', ')} still ${names.length > 1 ? 'lead' : 'leads'} to ${old}`;
}

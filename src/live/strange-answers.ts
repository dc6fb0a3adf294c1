import { readLinksTemplate } from '../link/link-template.js';
import { isInZone } from '../net/host-name.js';
import type { Told } from '../reach/read/cloud-state.js';
import { list, object, text } from '../reach/read/json.js';
import type { SynthesizedStack } from '../reach/read/read-tree.js';
import type { TerraformResource } from '../reach/read/terraform-json.js';
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

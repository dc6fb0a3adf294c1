import { isObject } from '../../files/json.js';
import { groupBy } from '../../lists/group-by.js';
import { identifierReference } from '../../reach/read/address.js';
import { type Json, list, object, text } from '../../reach/read/json.js';
import {
  refersTo,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import {
  type Fact,
  makeFacts,
  type ResourceIndex,
  safeguardOf,
  toValues,
} from '../../reach/rules/reading.js';
import { recordName, vpcsOf } from '../../reach/ways/resolve-name.js';
import { isSpelled, parseTemplate, readExpressions } from '../../terraform/expressions.js';
import { networksBeside } from './networks.js';

/** The outputs by which a stack tells its check what there is; it has one of them. */
export const TOLD: ReadonlySet<string> = new Set(['connectivity', 'connections']);

/** The facts that a stack gives clients and the check about one connection to the service. */
type StatedLink = ReturnType<typeof readConnectivity>[number];

/**
 * The links of a stack's output `connectivity`, which Terraform completes at the deploy: a base URL may
 * hold a reference, and what is written outside of texts is `${…}`.
 */
export function readConnectivity({ outputs }: TerraformStackJson) {
  const { links } = readToldToCheck(object(outputs.connectivity).value) ?? {};
  return (Array.isArray(links) ? links : []).map((link) => {
    const { name, via, baseUrl } = object(link);
    return { name: text(name), via: text(via), baseUrl: text(baseUrl), written: object(link) };
  });
}

/** Reads the value of an output that tells the check what there is; undefined where it is no JSON of an object. */
export function readToldToCheck(value: unknown): Json | undefined {
  const told = typeof value === 'string' ? parseTemplate(value, (source) => source) : undefined;
  return isObject(told) ? told : undefined;
}

const OUTPUT = 'output.connectivity';

/** Reads the facts for clients and the check: scheme, host and addresses. */
export function readLinkFacts(stack: TerraformStackJson): Fact[] {
  const links = readConnectivity(stack);
  const own = stack.resources
    .filter(({ type }) => type === 'volcenginecc_vpc_subnet')
    .map(({ body }) => text(body.cidr_block));
  return [
    ...makeFacts(safeguardOf(OUTPUT), ALL_LINKS, { checked: links.map(({ name }) => name) }),
    ...links.flatMap((link) => linkFacts(link, own)),
    ...recordFacts(stack),
  ];
}

/** Records that others enter where this tree cannot, with the addresses of the endpoint that they lead to. */
function recordFacts({ outputs, resources }: TerraformStackJson): Fact[] {
  return Object.entries(outputs)
    .filter(([name]) => name.endsWith('-records'))
    .flatMap(([name, output]) => {
      const { value } = object(output);
      const zones = resources
        .filter((resource) => refersTo(value, resource))
        .flatMap(({ body }) => list(body.zones).map(object));
      const addresses = zones.map((zone) => text(zone.private_ip_address ?? zone.zone_id));
      return makeFacts({ ...NAMES, resource: `output.${name}` }, ELSEWHERE, {
        records: text(value),
        addresses,
      });
    });
}

function linkFacts({ name, baseUrl, written }: StatedLink, ownNetworks: readonly string[]): Fact[] {
  const [scheme = ''] = /^\w+(?=:\/\/)/.exec(baseUrl) ?? [];
  const { apiHost, expectedAddresses, expectedNetworks, ...rest } = written;
  const { name: _, via: __, baseUrl: ___, zones: ____, ...more } = rest;
  const consequenceOfNew = `clients and the check are given a new link: calls go to ${baseUrl}, with JWTs for ${text(apiHost)}`;
  const place = { resource: OUTPUT, of: name, part: { name: `link ${name}`, consequenceOfNew } };
  return [
    ...makeFacts({ kind: 'destination', ...place }, LINK_HOSTS, {
      'base-url': baseUrl,
      'api-host': apiHost,
    }),
    ...makeFacts({ kind: 'safeguard', ...place }, LINK_SAFEGUARDS, {
      'plain-http': scheme === 'https' ? [] : [scheme],
      addresses: list(expectedAddresses).map(addressesText),
      networks: networksBeside(list(expectedNetworks).map(text), ownNetworks),
      settings: Object.entries(more).map(([key, one]) => `${key}: ${toValues([one]).join()}`),
    }),
  ];
}

const ALL_LINKS = {
  checked: ['links that are checked', 'removed', 'nothing checks it any more'],
} as const;

const LINK_HOSTS = {
  'base-url': ['base URL of', 'any', 'clients call another URL'],
  'api-host': ['API host of', 'any', 'JWTs are made for another audience'],
} as const;

const LINK_SAFEGUARDS = {
  'plain-http': ['plain HTTP of', 'added', 'JWT and token travel unencrypted'],
  addresses: [
    'addresses that the check accepts for',
    'added',
    'the check accepts other addresses',
    'networks',
  ],
  networks: [
    'networks that the check accepts for',
    'added',
    'the check accepts other networks',
    'networks',
  ],
  settings: ['other settings of', 'any', 'the check judges otherwise'],
} as const;

/** The names of the service. Clients keep calling a name that they have learnt. */
const NAMES = { kind: 'destination', isLasting: true } as const;

const ENTERED = 'the name resolves to something else once they enter it';

const ELSEWHERE = {
  records: ['records for others to enter', 'any', ENTERED],
  addresses: ['addresses for others to enter', 'any', ENTERED],
} as const;

const RECORDS = {
  name: [
    'the name',
    'any',
    'the name resolves to something else, so calls with their tokens go elsewhere',
  ],
} as const;

/** Reads the endpoint of which a value is one address, as the zone of the API host names it. */
function endpointOf(value: string): string | undefined {
  return endpointIn(
    value,
    (endpoint, zone) =>
      `\${one([for zone in ${endpoint}.zones : zone.private_ip_address if zone.zone_id == "${zone}"])}`,
  );
}

/** Writes the expression of all addresses of an endpoint for people; anything else stays as it is. */
function addressesText(value: unknown): string {
  const endpoint = endpointIn(
    text(value),
    (one) => `\${jsonencode(sort([for zone in ${one}.zones : "\${zone.private_ip_address}/32"]))}`,
  );
  return endpoint === undefined ? text(value) : `the addresses of ${endpoint}`;
}

/** Finds the endpoint whose addresses an expression takes that is spelled like another one. */
function endpointIn(value: string, like: (endpoint: string, text?: string) => string) {
  const { references: all, texts } = readExpressions(value);
  const [type, name] = all.find(({ path }) => path[2] === 'zones')?.path ?? [];
  const endpoint = `${type}.${name}`;
  const isLike = type === 'volcenginecc_privatelink_vpc_endpoint';
  return isLike && isSpelled(value, like(endpoint, texts[0])) ? endpoint : undefined;
}

/** Reads what names resolve to: one more address of the same endpoint is no other place. */
export function readRecords(index: ResourceIndex): Fact[] {
  const records = index
    .ofType('volcenginecc_privatezone_record')
    .map((record) => readRecord(record, index));
  return [...groupBy(records, ({ name }) => name)].flatMap(([name, all]) => {
    const [{ resource, called, where }] = all;
    const targets = new Set(all.flatMap(({ target, isAnswered }) => (isAnswered ? target : [])));
    const consequenceOfNew = `from now on ${called} resolves to ${[...targets].join(' and ')}${where}`;
    const part = { name: `the name ${called}`, consequenceOfNew };
    // What answers nobody resolves to nothing.
    const isAnswered = all.some((one) => one.isAnswered);
    return makeFacts({ ...NAMES, resource, of: name, ...(isAnswered && { part }) }, RECORDS, {
      name: all.map(({ value }) => value),
    });
  });
}

function readRecord(record: TerraformResource, index: ResourceIndex) {
  const { address, body } = record;
  const { type, value, enable, weight, weight_enabled, line } = body;
  const zone = text(body.zid);
  const owner = identifierReference(zone)?.address;
  const target = endpointOf(text(value)) ?? text(value);
  const more = [enable, weight, weight_enabled, line].map(text).join(' ').trim();
  const own = index
    .ofType('volcenginecc_privatezone_private_zone')
    .find((one) => refersTo(body.zid, one));
  const name = `${text(body.host)} in ${zone}`;
  const vpcs = own === undefined ? [] : vpcsOf(own);
  return {
    name,
    called: text(own?.body.zone_name) === '' ? name : recordName(record, index),
    target,
    isAnswered: more === '' && (own === undefined || vpcs.length > 0),
    where: vpcs.length === 0 ? '' : ` in ${vpcs.join(' and ')}`,
    resource: owner ?? address,
    value: [text(type), target, more].join(' ').trim(),
  };
}

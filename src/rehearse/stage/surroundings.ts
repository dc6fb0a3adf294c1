import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
} from '../../cloud/table/privatelink.js';
import { privatezoneRecord } from '../../cloud/table/privatezone.js';
import type { ResourceRow } from '../../cloud/table/row.js';
import { formatAddress } from '../../net/address.js';
import { parseNetwork } from '../../net/cidr.js';
import { isUnknown, type Json, list, object, text } from '../../reach/read/json.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import { readConnectivity } from '../../review/effective-rules/links.js';
import {
  type CatalogueService,
  SANDBOX_PLACE,
  SANDBOX_SERVICE,
  type ServiceNames,
} from '../../sandbox/surroundings.js';
import { notATree } from '../../terraform/tree-files.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';

/**
 * The world around the stacks of both trees: what they name, the sandbox has.
 *
 * @throws ConnectivityError `usage.invalid` where the trees name several regions
 */
export function findSurroundings(trees: readonly RehearsedTree[]) {
  const stacks = trees.flat();
  const bodies = stacks.flatMap(({ terraform }) => terraform.resources);
  const region = findRegion(stacks);
  const zones = [
    ...new Set([...listZones(region), ...literals(bodies, /^(?:master_|slave_)?zone_id$/)]),
  ];
  const ofType = (row: ResourceRow) => bodies.filter(({ type }) => type === row.type);
  const accounts = literals(ofType(privatelinkEndpointService), /^permit_account_ids$/);
  const outputs = stacks.flatMap(({ terraform }) =>
    Object.values(terraform.outputs).map((output) => text(object(output).value)),
  );
  return {
    place: {
      region,
      zones,
      catalogue: makeCatalogue(ofType(privatelinkVpcEndpoint), region, zones),
    },
    service: {
      ...findNames(outputs.join('\n'), accounts),
      boundZones: stacks.flatMap(zonesIn).map(({ id }) => id),
    },
  };
}

function findRegion(stacks: RehearsedTree): string {
  const regions = new Set(
    stacks
      .flatMap(({ terraform }) => [...terraform.blocks.values()])
      .filter(({ kind, labels }) => kind === 'provider' && labels[0] === CLOUD_PROVIDER.name)
      .map(({ body }) => text(body.region))
      .filter(isLiteral),
  );
  const [region = SANDBOX_PLACE.region, ...others] = regions;
  if (others.length === 0) return region;
  const names = [...regions].join(', ');
  throw notATree('--head', names, 'must be in one region, the same as `--base`');
}

function listZones(region: string): readonly string[] {
  if (region === SANDBOX_PLACE.region) return SANDBOX_PLACE.zones;
  return ['a', 'b', 'c'].map((letter) => `${region}-${letter}`);
}

function makeCatalogue(
  endpoints: readonly TerraformResource[],
  region: string,
  zones: readonly string[],
): CatalogueService[] {
  const named = endpoints
    .map(({ body }) => ({ serviceId: text(body.service_id), name: text(body.service_name) }))
    .filter(({ serviceId }) => isLiteral(serviceId))
    .map(({ serviceId, name }) => ({
      serviceId,
      serviceName: isLiteral(name) ? name : `com.volces.privatelink.${region}.${serviceId}`,
      domainSuffix: `${serviceId}.${region}.privatelink.volces.com`,
    }));
  const all = region === SANDBOX_PLACE.region ? [...SANDBOX_PLACE.catalogue, ...named] : named;
  return [...new Map(all.map((service) => [service.serviceId, { ...service, zones }])).values()];
}

/** @param outputs what the stacks give to their checks */
function findNames(outputs: string, accounts: readonly string[]): ServiceNames {
  const all = (pattern: RegExp) => [
    ...new Set([...outputs.matchAll(pattern)].map(([, name = '']) => name.toLowerCase())),
  ];
  const apiHosts = [...SANDBOX_SERVICE.apiHosts, ...all(/"apiHost":"([^"$]+)"/g)];
  const hosts = all(/"baseUrl":"https?:\/\/([^"$/:]+)/g);
  return {
    apiHosts,
    fixedIpHosts: [
      ...SANDBOX_SERVICE.fixedIpHosts,
      ...hosts.filter((host) => !apiHosts.includes(host)),
    ],
    ports: Object.fromEntries(
      [...outputs.matchAll(/"baseUrl":"(https?):\/\/[^"]*?:(\d{1,5})(?:\/[^"]*)?"/g)].map(
        ([, scheme, port]) => [Number(port), scheme === 'http' ? 'http' : 'https'] as const,
      ),
    ),
    tlsNames: all(/"tlsServerName":"([^"$]+)"/g),
    accounts: [...SANDBOX_SERVICE.accounts, ...accounts],
  };
}

/**
 * The addresses of the fixed-IP hosts while a tree is deployed: those that every tree with such a link
 * states, for an address that only one of them has may be no longer the service's, or not yet. Where they
 * have none in common, the service moves to those of the tree.
 *
 * @param tree the deployed one
 */
export function fixedAddresses(
  trees: readonly RehearsedTree[],
  tree: RehearsedTree,
): readonly string[] | undefined {
  const listOf = (one: RehearsedTree) =>
    one.flatMap(({ terraform }) => readConnectivity(terraform)).flatMap(listed);
  const lists = trees.map(listOf).filter(({ length }) => length > 0);
  const [first = [], ...others] = lists;
  const common = first.filter((one) => others.every((list) => list.includes(one)));
  const all = [common, listOf(tree), first].find(({ length }) => length > 0);
  return all && [...new Set(all)];
}

/** A network is stated where the addresses in it are not known: the service has the first usable one. */
function listed({ via, written }: ReturnType<typeof readConnectivity>[number]): string[] {
  if (via !== 'fixed-ip-egress') return [];
  return list(written.expectedAddresses).flatMap((one) => {
    if (!/^[\d.]+(?:\/\d+)?$/.test(text(one))) return [];
    const { first, last } = parseNetwork(text(one));
    return [formatAddress({ family: 4, value: last > first ? first + 1n : first })];
  });
}

/** The private zones that a stack enters records in, and does not create. */
export function zonesIn({ terraform }: RehearsedStack): { id: string; ZoneName: string }[] {
  const hosts = readConnectivity(terraform)
    .filter(({ written }) => written.privateZone === true)
    .flatMap(({ baseUrl }) => /^https:\/\/([\w.-]+)/.exec(baseUrl)?.[1] ?? []);
  return terraform.resources.flatMap(({ type, body: { zid, host } }) => {
    if (type !== privatezoneRecord.type || typeof zid !== 'number') return [];
    const prefix = host === '@' ? '' : `${text(host)}.`;
    const name = hosts.find((one) => one.startsWith(prefix));
    return name === undefined ? [] : [{ id: String(zid), ZoneName: name.slice(prefix.length) }];
  });
}

/** Literal texts of attributes that have such a name, at any depth. */
function literals(bodies: readonly { readonly body: Json }[], name: RegExp): string[] {
  const found = new Set<string>();
  const visit = (key: string, value: unknown) => {
    if (typeof value === 'string' && name.test(key) && isLiteral(value)) found.add(value);
    if (Array.isArray(value)) for (const member of value) visit(key, member);
    else for (const [inner, member] of Object.entries(object(value))) visit(inner, member);
  };
  for (const { body } of bodies) visit('', body);
  return [...found];
}

/** Tells whether a text is given, and not an expression of Terraform's. */
export function isLiteral(value: string): boolean {
  return value !== '' && !isUnknown(value);
}

import { clbListener } from '../../cloud/table/clb.js';
import { fwcenterAddressBook, fwcenterControlPolicy } from '../../cloud/table/fwcenter.js';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/privatezone.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../cloud/table/vpc.js';
import { groupBy } from '../../lists/group-by.js';
import { cidrsOverlap, parseNetwork } from '../../net/cidr.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { bookEntries, portSpan } from '../../sandbox/cloud/types/firewall.js';
import { isObject, type Json, type JsonObject, readText } from '../../sandbox/json.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { Contents, Edit } from './compose-state.js';

const typesOf = (...rows: readonly { readonly cloudType: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ cloudType }) => cloudType));

/** Types that packets come to, or go from: the ways begin here. */
const ENDS = typesOf(privatelinkVpcEndpoint, clbListener, vpcSecurityGroup, privatezonePrivateZone);

/** The places of others, by which nothing is let in or kept out. */
const PLACES = typesOf(vpcVpc, vpcSubnet);

/** Types that say of something else who gets to it. */
const TELLS_OF = typesOf(
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
  privatezoneRecord,
);

/** Types that decide on the packets of every way. */
const EVERYWHERE = typesOf(fwcenterControlPolicy, fwcenterAddressBook, vpcVpc, vpcSubnet);

/** Properties that no packet depends on. */
const WORDS =
  /^(?:Tags|Description|Remark|ProjectName|\w+Time|\w+At|Updated|(?:Endpoint|SecurityGroup|LoadBalancer|ServerGroup|Listener|PrefixList|Acl|Vpc|Subnet)Name)$/;

/** Tells of a step whether packets can depend on it: new places are empty, and words decide nothing. */
export function isOfPackets(before: CloudState, edits: readonly Edit[]): boolean {
  return edits.some(({ type, id, content }) => {
    const then = before.resources[type]?.[id];
    if (then === undefined || content === undefined) return !PLACES.has(type);
    return plain(then) !== plain(content);
  });
}

function plain(content: JsonObject): string {
  return JSON.stringify(content, (name, value) => (WORDS.test(name) ? undefined : value));
}

type Pairs = (a: number, b: number) => boolean;

/**
 * Finds which steps can decide together on a packet: they change what one way leads through, and for firewall
 * policies also the same packets. More than there are do no harm.
 */
export function findInteractions(
  before: CloudState,
  edits: readonly (readonly Edit[])[],
  service: Pick<ServiceNames, 'backendGroups' | 'workloadGroups'>,
): Pairs {
  const contents = allContents(before, edits);
  const ways = findWays(contents, service);
  const meets = policiesMeet(contents);
  const share = (a: Edit, b: Edit) => {
    if (a.type === b.type && a.type === fwcenterControlPolicy.cloudType) return meets(a.id, b.id);
    if (EVERYWHERE.has(a.type) || EVERYWHERE.has(b.type)) return true;
    return ways.some((way) => way.has(a.id) && way.has(b.id));
  };
  return (a, b) => (edits[a] ?? []).some((one) => (edits[b] ?? []).some((two) => share(one, two)));
}

function allContents(before: CloudState, edits: readonly (readonly Edit[])[]): Contents {
  const first = Object.entries(before.resources).flatMap(([type, own]) =>
    Object.entries(own).map(([id, content]) => ({ type, id, content })),
  );
  return groupBy([...first, ...edits.flat()], ({ id }) => id);
}

/** The resources that each way leads through, in any of the states. */
function findWays(
  contents: Contents,
  { backendGroups = new Map(), workloadGroups = {} }: Parameters<typeof findInteractions>[2],
): ReadonlySet<string>[] {
  const next = new Map([...contents.keys()].map((id) => [id, new Set<string>()]));
  const owners = findOwners(contents);
  for (const [id, all] of contents) {
    const named = all.flatMap(({ content }) => wordsIn(content)).flatMap((word) => owners(word));
    for (const other of named) {
      next.get(id)?.add(other);
      if (TELLS_OF.has(all[0]?.type ?? '')) next.get(other)?.add(id);
    }
  }
  for (const [balancer, group] of backendGroups) next.get(balancer)?.add(group);
  const ends = [...contents].filter(([, all]) => ENDS.has(all[0]?.type ?? '')).map(([id]) => [id]);
  // Without an output that names them, workloads may have any group.
  const groups = [...contents]
    .filter(([, all]) => all[0]?.type === vpcSecurityGroup.cloudType)
    .map(([id]) => id);
  const { ingress = groups, egress = groups } = workloadGroups;
  return [...ends, ingress, egress].map((begin) => follow(begin, next));
}

/** Finds whose identifier, address or domain a word is; places are everybody's. */
function findOwners(contents: Contents): (word: string) => readonly string[] {
  const owners = [...contents].flatMap(([id, all]) =>
    all.flatMap(({ type, content }) => {
      const { EndpointDomain, Zones, Eni } = content ?? {};
      const words = PLACES.has(type) ? [] : [id];
      const fields = type === privatelinkVpcEndpoint.cloudType ? [EndpointDomain, Zones] : [Eni];
      return [...words, ...fields.flatMap(wordsIn).filter((word) => ADDRESSED.test(word))].map(
        (word) => ({ word, id }),
      );
    }),
  );
  const found = groupBy(owners, ({ word }) => word);
  return (word) => (found.get(word) ?? []).map(({ id }) => id);
}

/** An IPv4 address or a domain. */
const ADDRESSED = /^[\w-]+(?:\.[\w-]+){2,}$/;

function wordsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (isObject(value)) return Object.values(value).flatMap(wordsIn);
  return value === undefined || value === null ? [] : [String(value)];
}

function follow(
  begin: readonly string[],
  next: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set(begin);
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other);
  return found;
}

/** Tells of two firewall policies whether some packet can match both, in whichever of their states. */
function policiesMeet(contents: Contents): (a: string, b: string) => boolean {
  const statesOf = (id: string) =>
    (contents.get(id) ?? []).flatMap(({ content }) => (content === undefined ? [] : [content]));
  const entriesIn = (policy: JsonObject, side: string) => {
    const value = readText(policy, side);
    if (policy[`${side}Type`] === 'group')
      return statesOf(value).flatMap((book) => bookEntries(book));
    return policy[`${side}Type`] === 'domain' ? undefined : [value];
  };
  const overlap = (a: JsonObject, b: JsonObject) =>
    a.Direction === b.Direction &&
    ['Source', 'Destination'].every((side) =>
      anyOf(entriesIn(a, side), entriesIn(b, side), networksMeet),
    ) &&
    anyOf(entriesIn(a, 'DestPort'), entriesIn(b, 'DestPort'), portsMeet);
  return (a, b) => statesOf(a).some((one) => statesOf(b).some((two) => overlap(one, two)));
}

function anyOf(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
  meet: (one: string, other: string) => boolean,
): boolean {
  if (a === undefined || b === undefined) return true;
  return a.some((one) => b.some((other) => meet(one, other)));
}

/** Tells whether networks overlap; a text that is none, such as a domain in a book, may be anything. */
function networksMeet(a: string, b: string): boolean {
  try {
    return cidrsOverlap(parseNetwork(a), parseNetwork(b));
  } catch {
    return true;
  }
}

/** Without ports a policy is for all of them. */
function portsMeet(a: string, b: string): boolean {
  const [one, two] = [portSpan(a), portSpan(b)];
  return one === undefined || two === undefined || (one[0] <= two[1] && two[0] <= one[1]);
}

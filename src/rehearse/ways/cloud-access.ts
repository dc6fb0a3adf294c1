import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import type { PacketRule } from '../../reach/packet-rule.js';
import { toName } from '../../reach/read/cloud-state.js';
import { applyNames, CarrierNames, carrierKey } from '../../reach/rules/carriers.js';
import { type EffectiveFlow, ResourceIndex } from '../../reach/rules/reading.js';
import { decideLists } from '../../reach/rules/rule-list.js';
import { ALL_CLOSED, ALL_OPEN, type Answers } from '../../reach/semantics.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING } from '../../reach/sets/services.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import { splitFirewalls } from './firewall-sides.js';
import type { SeenState } from './link-way.js';
import { namePlaces, placeRules, withAddresses } from './places.js';
import { acceptedPorts, findWholeWays, firewallSubjects } from './whole-way.js';

/** Rules as sets, by the names that access rules have for what they guard. */
export interface Opened {
  readonly rules: readonly PacketRule[];
  readonly region: Region;
}

/** The access that one state of the cloud gives, by both answers to what is assumed of the cloud. */
export interface CloudAccess {
  /** Everything that may pass one door. */
  readonly open: Opened;
  /** The part of it that may pass the other doors on the way too. */
  readonly reached: Opened;
  /** Access that is certain: the worse for cuts. */
  readonly certain: Opened;
  /** The part of that which may pass the other doors too. */
  readonly passed: Opened;
  /** The part of that which is known to be listened to: nobody notices the end of any other. */
  readonly used: Opened;
}

/**
 * Returns what each state of a cloud opens. A group or a load balancer is called as the rules of the trees
 * that speak of the same packets, in all states alike; what no rule speaks of keeps its identifier.
 * Of a private link only accounts and connections count, which are all or nothing: the ports are those
 * of its listeners, each of which has rules of its own.
 */
export function readAccess(
  states: readonly SeenState[],
  addresses: ReadonlyMap<string, string> = new Map(),
): CloudAccess[] {
  const addressOf = (one: string) => withAddresses(one, addresses);
  const stated = states[0]?.reached.stated.all() ?? [];
  const names = new CarrierNames(stated, new ResourceIndex([]), addressOf);
  // A passage through many orders comes to the same states again and again; the last one ends it.
  const all = [...new Set([...states.filter((one) => one !== states.at(-1)), ...states.slice(-1)])];
  const flows = readFlows(all, names);
  const everything = flows.map(({ open }) => open);
  const rename = nameFlows(everything, names, addressOf);
  const toOpened = (own: readonly EffectiveFlow[]): Opened => {
    const rules = rename(own);
    return { rules, region: toRegion(rules) };
  };
  const access = flows.map(({ open, reached, certain, passed, used }) => ({
    ...{ open: toOpened(open), reached: toOpened(reached), certain: toOpened(certain) },
    ...{ passed: toOpened(passed), used: toOpened(used) },
  }));
  return states.flatMap((state) => access[all.indexOf(state)] ?? []);
}

type Flows = Readonly<Record<keyof CloudAccess, readonly EffectiveFlow[]>>;

function readFlows(states: readonly SeenState[], names: CarrierNames): Flows[] {
  const attached = new Set([states[0], states.at(-1)].flatMap((one) => attachedGroups(one?.cloud)));
  const decided = splitFirewalls(states.map(({ reached }) => reached.read.lists));
  const ways = states.map(({ reached }) => reached.ways);
  const whole = findWholeWays(ways, firewallSubjects(decided.flat(), names));
  return whole.map(({ cut, isAlone }, i) => {
    const lists = decided[i] ?? [];
    const named = states[i]?.reached.read.flows.filter(({ kind }) => kind !== 'packets') ?? [];
    const canBeSent = sendableFlows(states[i]?.cloud);
    const under = (answers: Answers) => {
      const packets = decideLists(lists, answers).flows ?? [];
      return counted([...named, ...packets.filter(canBeSent)], attached);
    };
    const [open, certain] = [under(ALL_OPEN), under(ALL_CLOSED).filter((flow) => !isIdle(flow))];
    const passed = certain.flatMap(cut);
    const listened = acceptedPorts(lists);
    const used = passed.flatMap((flow) => (isAlone(flow) ? listened(flow) : flow));
    return { open, reached: open.flatMap(cut), certain, passed, used };
  });
}

/** Tells of a flow whether anybody can send its packets: an endpoint for IPv4 alone has no IPv6 address. */
function sendableFlows(state: CloudState | undefined): (flow: EffectiveFlow) => boolean {
  const endpoints = state === undefined ? [] : listResources(state, privatelinkVpcEndpoint);
  const ofBoth = endpoints.filter((one) => readTexts(one, 'IpAddressVersions').includes('ipv6'));
  const carriers = new Set(
    ofBoth.map((one) => `${privatelinkVpcEndpoint.type}.${toName(readText(one, 'EndpointId'))}`),
  );
  return ({ carrier, peer }) =>
    !carrier.startsWith(`${privatelinkVpcEndpoint.type}.`) ||
    !(peer.kind === 'addresses' && peer.family === 6) ||
    carriers.has(carrier);
}

/** Leaves what is known and carried: between two endpoints nobody carries a group of both. */
function counted(flows: readonly EffectiveFlow[], attached: ReadonlySet<string>): EffectiveFlow[] {
  return flows
    .filter(({ kind, peer }) => (kind === 'packets' || kind === 'link') && peer.kind !== 'unknown')
    .filter(({ carrier }) => !attached.has(carrier))
    .map((flow) => (flow.kind === 'link' ? { ...flow, services: EVERYTHING } : flow));
}

/** An endpoint is called and calls nobody. */
function isIdle({ carrier, direction }: EffectiveFlow): boolean {
  return direction === 'egress' && carrier.startsWith(privatelinkVpcEndpoint.type);
}

/** The same names in all states, of which those of the open flows are given: what replaces another has its address. */
function nameFlows(
  states: readonly (readonly EffectiveFlow[])[],
  names: CarrierNames,
  addressOf: (carrier: string) => string,
): (flows: readonly EffectiveFlow[]) => PacketRule[] {
  const ends = [states[0], states.at(-1)].map(
    (own = []) => new Set(own.map(({ carrier }) => carrier)),
  );
  const placeName = namePlaces(ends, addressOf);
  const keyOf = ({ direction, carrier = '' }: PacketRule) => carrierKey({ direction, carrier });
  const known = new Map(
    applyNames('', states.flat(), names)
      .filter(({ via }) => via !== '')
      .map((rule) => [keyOf(rule), rule] as const),
  );
  const everyAccount = withEveryAccount(states.flat());
  const read = (flows: readonly EffectiveFlow[]) =>
    applyNames('', flows.flatMap(everyAccount), names).map((rule) => {
      // Before the first policy and after the last nothing says whose packets pass a firewall.
      const { via, subject } = known.get(keyOf(rule)) ?? rule;
      const isUnnamed = subject === rule.carrier;
      return { ...rule, via, subject: isUnnamed ? placeName(subject) : addressOf(subject) };
    });
  const place = placeRules(read(states.flat()), placeName);
  return (flows) => read(flows).map(place);
}

/** Adds to a flow for every account one for each that any state names. */
function withEveryAccount(flows: readonly EffectiveFlow[]) {
  const accounts = flows.filter(({ peer }) => peer.kind === 'account');
  return (flow: EffectiveFlow): EffectiveFlow[] => {
    const isAll = flow.peer.kind === 'account' && flow.peer.name === '*';
    const others = accounts.filter(({ carrier }) => isAll && carrier === flow.carrier);
    return [flow, ...others.map(({ peer }) => ({ ...flow, peer }))];
  };
}

/** The addresses of groups that endpoints carry. */
function attachedGroups(state: CloudState | undefined): string[] {
  if (state === undefined) return [];
  return listResources(state, privatelinkVpcEndpoint)
    .flatMap((endpoint) => readTexts(endpoint, 'SecurityGroupIds'))
    .map((id) => `${vpcSecurityGroup.type}.${toName(id)}`);
}

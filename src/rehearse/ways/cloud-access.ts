import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { type PacketRule, packetRule } from '../../reach/packet-rule.js';
import { toName } from '../../reach/read/cloud-state.js';
import { applyNames, CarrierNames, carrierKey } from '../../reach/rules/carriers.js';
import { type EffectiveFlow, type Reading, ResourceIndex } from '../../reach/rules/reading.js';
import { decideLists } from '../../reach/rules/rule-list.js';
import { ALL_CLOSED, ALL_OPEN, type Answers } from '../../reach/semantics.js';
import { combine } from '../../reach/sets/ranges.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { EVERYTHING, intersect, subtract } from '../../reach/sets/services.js';
import type { Way } from '../../reach/ways/door.js';
import { type Change, findChanges } from '../../review/packet-changes.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import type { RehearsedTree } from '../read-trees.js';
import { firewallSubjects, listenedTo, splitFirewalls } from './firewall-sides.js';
import { namePlaces, withAddresses, withPlaces } from './places.js';

/** Rules as sets, by the names that access rules have for what they guard. */
interface Opened {
  readonly rules: readonly PacketRule[];
  readonly region: Region;
}

/**
 * The access that one state of the cloud gives, by both answers to what is assumed of the cloud.
 */
export interface CloudAccess extends Opened {
  /** Access that is certain: the worse for cuts. */
  readonly certain: Opened;
  /** Certain access to what is known to be listened to: nobody notices the end of any other. */
  readonly used: Opened;
}

/** Access that opens and closes in the middle of a change. */
export interface StepAccess {
  /** Open now, and neither before the change nor after it. */
  readonly transient: readonly Change[];
  /** Open before the change and after it, and not now. */
  readonly interrupted: readonly Change[];
  /** Open before the change, and neither now nor after it. */
  readonly lost: readonly Change[];
  /** Against the step before. */
  readonly changed: readonly Change[];
}

/**
 * Returns what each state of a cloud opens. A group or a load balancer is called as the rules of the trees
 * that speak of the same packets, in all states alike; what no rule speaks of keeps its identifier.
 * Of a private link only accounts and connections count, which are all or nothing: the ports are those
 * of its listeners, each of which has rules of its own.
 *
 * @param found the rules of each state, and its ways
 */
export function readAccess(
  states: readonly CloudState[],
  found: readonly {
    readonly read: Pick<Required<Reading>, 'flows' | 'lists'>;
    readonly ways: readonly Way[];
  }[],
  trees: readonly RehearsedTree[],
  addresses: ReadonlyMap<string, string> = new Map(),
): CloudAccess[] {
  const stated = trees.flatMap(statedRules);
  const addressOf = (one: string) => withAddresses(one, addresses);
  const names = new CarrierNames(stated, new ResourceIndex([]), addressOf);
  const attached = new Set([states[0], states.at(-1)].flatMap(attachedGroups));
  const decided = splitFirewalls(found.map(({ read }) => read.lists));
  const subjects = firewallSubjects(decided.flat(), names);
  const read = found.map(({ read: { flows }, ways }, i) => {
    const canBeSent = sendableFlows(states[i]);
    const under = (answers: Answers) => [
      ...flows.filter(({ kind }) => kind !== 'packets'),
      ...(decideLists(decided[i] ?? [], answers).flows ?? []).filter(canBeSent),
    ];
    const [open, certain] = [under(ALL_OPEN), under(ALL_CLOSED)];
    const sure = counted(certain, attached).filter((flow) => !isIdle(flow));
    return {
      open: counted(open, attached),
      certain: sure,
      used: i === 0 ? sure.flatMap(listenedTo(decided[i] ?? [], ways, subjects)) : sure,
    };
  });
  const named = (bound: keyof (typeof read)[number]) =>
    nameStates(
      read.map((one) => one[bound]),
      names,
      addressOf,
    );
  const [certain, used] = [named('certain'), named('used')];
  return named('open').map((one, i) => ({
    ...one,
    certain: certain[i] ?? one,
    used: used[i] ?? one,
  }));
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

function counted(flows: readonly EffectiveFlow[], attached: ReadonlySet<string>): EffectiveFlow[] {
  return (
    flows
      .filter(
        ({ kind, peer }) => (kind === 'packets' || kind === 'link') && peer.kind !== 'unknown',
      )
      // Between two endpoints nobody carries it.
      .filter(({ carrier }) => !attached.has(carrier))
      .map((flow) => (flow.kind === 'link' ? { ...flow, services: EVERYTHING } : flow))
  );
}

/** An endpoint is called and calls nobody. */
function isIdle({ carrier, direction }: EffectiveFlow): boolean {
  return direction === 'egress' && carrier.startsWith(privatelinkVpcEndpoint.type);
}

/** The same names in all states: what replaces another resource has the address of that. */
function nameStates(
  flows: readonly (readonly EffectiveFlow[])[],
  names: CarrierNames,
  addressOf: (carrier: string) => string,
): Opened[] {
  const all = withEveryAccount(flows);
  const ends = [all[0], all.at(-1)].map((own = []) => new Set(own.map(({ carrier }) => carrier)));
  const placeName = namePlaces(ends, addressOf);
  const read = applyNames('', all.flat(), names);
  const keyOf = ({ direction, carrier = '' }: PacketRule) => carrierKey({ direction, carrier });
  const known = new Map(
    read.filter(({ via }) => via !== '').map((rule) => [keyOf(rule), rule] as const),
  );
  const rules = read.map((rule) => {
    // Before the first policy and after the last nothing says whose packets pass a firewall.
    const { via, subject } = known.get(keyOf(rule)) ?? rule;
    const isUnnamed = subject === rule.carrier;
    return { ...rule, via, subject: isUnnamed ? placeName(subject) : addressOf(subject) };
  });
  const named = withPlaces(rules, placeName);
  let next = 0;
  return all.map(({ length }) => {
    const own = named.slice(next, next + length);
    next += length;
    return { rules: own, region: toRegion(own) };
  });
}

/** Adds to a flow for every account one for each that any state names. */
function withEveryAccount(flows: readonly (readonly EffectiveFlow[])[]): EffectiveFlow[][] {
  const accounts = flows.flat().filter(({ peer }) => peer.kind === 'account');
  return flows.map((own) =>
    own.flatMap((flow) => {
      const isAll = flow.peer.kind === 'account' && flow.peer.name === '*';
      const others = accounts.filter(({ carrier }) => isAll && carrier === flow.carrier);
      return [flow, ...others.map(({ peer }) => ({ ...flow, peer }))];
    }),
  );
}

/** The addresses of groups that endpoints carry. */
function attachedGroups(state: CloudState | undefined): string[] {
  if (state === undefined) return [];
  return listResources(state, privatelinkVpcEndpoint)
    .flatMap((endpoint) => readTexts(endpoint, 'SecurityGroupIds'))
    .map((id) => `${vpcSecurityGroup.type}.${toName(id)}`);
}

function statedRules(tree: RehearsedTree): PacketRule[] {
  return tree.flatMap(({ name, access, terraform }) => {
    const own = new Set(terraform.resources.map(({ address }) => address));
    return (access?.rules ?? []).map((rule) => ({ ...packetRule(name, rule, own), stack: '' }));
  });
}

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps(states: readonly CloudAccess[]): StepAccess[] {
  const [first, last] = [states[0] ?? CLOSED, states.at(-1) ?? CLOSED];
  const rules = [...first.rules, ...last.rules];
  const either = { rules, region: toRegion(rules) };
  const [before, after] = [first.used, last.certain];
  const both = withRegion(before, combineRegions(before.region, after.region, intersect));
  const gone = withRegion(before, combineRegions(before.region, after.region, subtract));
  const only = (effect: Change['effect'], a: Opened, b: Opened) =>
    findChanges({ a, b }).filter((change) => change.effect === effect);
  return states.slice(1).map((state, i) => {
    const prior = states[i] ?? CLOSED;
    return {
      transient: only('widens', either, state),
      interrupted: only('narrows', both, state.certain),
      lost: only('narrows', gone, state.certain),
      changed: [...only('widens', prior, state), ...only('narrows', prior.certain, state.certain)],
    };
  });
}

function withRegion({ rules }: Opened, region: Region): Opened {
  return { rules, region };
}

const NOTHING: Opened = { rules: [], region: new Map() };
const CLOSED: CloudAccess = { ...NOTHING, certain: NOTHING, used: NOTHING };

function combineRegions(a: Region, b: Region, how: typeof intersect): Region {
  return new Map(
    [...a].flatMap(([key, cell]) => {
      const ranges = combine(cell.ranges, b.get(key)?.ranges ?? [], how);
      return ranges.length === 0 ? [] : [[key, { ...cell, ranges }] as const];
    }),
  );
}

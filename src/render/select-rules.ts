import { type AccessModel, canonicalRules } from '../access/access-model.js';
import { type AccessRule, listenerSubject, peerCidrs } from '../access/access-rule.js';
import { usageError } from '../codes/connectivity-error.js';
import { groupBy } from '../lists/group-by.js';
import { cidrCovers, hostCidr } from '../net/cidr.js';
import { mergeCidrs } from '../net/cidr-set.js';
import { serviceKey, toOpening, unsupported } from './model.js';

const FIELDS: Readonly<Record<string, (rule: AccessRule, value: string) => boolean>> = {
  via: (rule, value) => rule.via === value,
  direction: (rule, value) => rule.direction === value,
  subject: (rule, value) => rule.subject === value,
  peer: (rule, value) => rule.peer.kind === value,
  protocol: (rule, value) => rule.protocol === value,
  port: ({ ports }, value) => ports.first === Number(value) && ports.last === Number(value),
};

/**
 * The model with the rules that one of the filters lets through; without a filter, all.
 *
 * @param filters `via=fixed-ip-egress,direction=egress`: every part must hold
 * @throws ConnectivityError `usage.invalid`
 */
export function selectRules(model: AccessModel, filters: readonly string[]): AccessModel {
  if (filters.length === 0) return model;
  const tests = filters.map(parseFilter);
  const rules = model.rules.filter((rule) => tests.some((holds) => holds(rule)));
  if (rules.length > 0) return { ...model, rules };
  throw usageError(
    `\`--rules\` must leave at least one of ${model.rules.length} rules, got: "${filters.join('" and "')}"`,
  );
}

function parseFilter(filter: string): (rule: AccessRule) => boolean {
  const parts = filter.split(',').map((part) => {
    const [, name = '', value = ''] = /^([^=]*)=(.+)$/.exec(part) ?? [];
    const test = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (test !== undefined) return (rule: AccessRule) => test(rule, value);
    throw usageError(
      `\`--rules\` must be FIELD=VALUE with commas between, FIELD one of ${Object.keys(FIELDS).join(', ')}, got: "${part}"`,
    );
  });
  return (rule) => parts.every((holds) => holds(rule));
}

/**
 * The model with neighbouring addresses of equal rules written as one prefix, only where the prefix
 * holds these addresses and no other. Reasons are joined; the digest stays that of the whole model.
 */
export function mergeModel(model: AccessModel): AccessModel {
  const groups = groupBy(model.rules, (rule) => {
    const { via, peer, enforcedElsewhere, exception } = rule;
    const service = serviceKey(toOpening(rule));
    return JSON.stringify([via, peer.kind, service, enforcedElsewhere, exception]);
  });
  return { ...model, rules: canonicalRules([...groups.values()].flatMap(mergedRules)) };
}

function mergedRules(rules: readonly [AccessRule, ...AccessRule[]]): readonly AccessRule[] {
  const [first] = rules;
  if (first.peer.kind !== 'cidr') return rules;
  return mergeCidrs(peerCidrs(rules)).map((network) => {
    const inside = rules.filter((rule) =>
      peerCidrs([rule]).every((cidr) => cidrCovers(network, cidr)),
    );
    const reason = [...new Set(inside.map((rule) => rule.reason))].join('; ');
    return { ...first, peer: { kind: 'cidr', cidr: network.text }, reason };
  });
}

/**
 * The model as firewalls of one's own need it: without the listener of a private plugin, which is part
 * of the cloud's load balancer and passes on to the backend, whose rules are here. An endpoint is an
 * address in the VPC, which no pod and no host behind a firewall is; its security group lets clients
 * in. What else is in between is on the clients' side and must let them out, so each rule that lets
 * clients in becomes one that lets them out to the endpoint's addresses. Rules of an endpoint without
 * known addresses stay as they are.
 */
export function clientSide(model: AccessModel): AccessModel {
  const listeners = findListeners(model);
  const rules = model.rules
    .filter(({ via, subject }) => via !== 'plugin-endpoint-service' || !listeners.has(subject))
    .flatMap((rule) => (isOfEndpoint(rule) ? outbound(rule, model) : [rule]));
  return { ...model, rules: canonicalRules(rules) };
}

/**
 * Refuses what {@link clientSide} could not turn round.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function requireClientSide({ rules }: AccessModel, target: string): void {
  const rule = rules.find(isOfEndpoint);
  if (rule === undefined) return;
  throw unsupported(
    target,
    `needs the addresses of the endpoint ${rule.subject} in \`endpoints\` of the access rules, got: none; synthesize the stack again, or choose other rules with --rules via=fixed-ip-egress`,
  );
}

function isOfEndpoint({ via, direction }: AccessRule): boolean {
  return via === 'service-endpoint' && direction === 'ingress';
}

/** Finds the listeners of private plugins: accounts connect only to backends. */
function findListeners({ rules }: AccessModel): ReadonlySet<string> {
  const backends = new Set(
    rules.filter(({ peer }) => peer.kind === 'account').map(({ subject }) => subject),
  );
  const listeners = [...backends].map(listenerSubject);
  return new Set(listeners.filter((subject) => !backends.has(subject)));
}

function outbound(rule: AccessRule, { endpoints = [] }: AccessModel): AccessRule[] {
  const addresses = endpoints
    .filter(({ subject }) => subject === rule.subject)
    .flatMap((endpoint) => endpoint.addresses);
  if (addresses.length === 0) return [rule];
  return addresses.map((address) => ({
    ...rule,
    direction: 'egress',
    peer: { kind: 'cidr', cidr: hostCidr(address).text },
  }));
}

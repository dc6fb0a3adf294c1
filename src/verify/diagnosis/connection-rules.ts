import { isCode } from '../../codes/codes.js';
import type { Evidence } from '../model/verification.js';
import {
  type Facts,
  type Failures,
  failedAddresses,
  findProbes,
  outsideNetwork,
  partialFailure,
  pick,
  type Rule,
  type Rules,
  unlessPartial,
  weigh,
} from './candidates.js';

/** The packets get no answer. */
const packetsLost = unlessPartial((facts, failures) => {
  const evidence = { address: failedAddresses(facts, failures) };
  if (facts.link.via !== 'service-endpoint') {
    return weigh(evidence, { 'host.egress': 60, 'route.missing': 40 });
  }
  const ofEndpoint = { 'endpoint.security-group': 70, 'endpoint.not-accepted': 60 };
  return [
    ...outsideNetwork(facts).map((one) => ({ ...one, weight: Math.min(one.weight, 55) })),
    ...weigh(evidence, { ...ofEndpoint, 'route.missing': 40, 'host.egress': 30 }),
  ];
});

/** The system or a router gives up: for want of a route, or of a host at its end. */
const noRoute: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.some(({ code }) => code === 'route.family')) return partial;
  const evidence = factsOfFailure(facts, failures);
  if (failures.every(({ evidence: { error, own } }) => error === 'ENETUNREACH' || own)) {
    const shown = { code: 'route.missing', weight: 80, isShown: true, evidence } as const;
    return partial.length > 0 ? [shown] : [shown, ...outsideNetwork(facts)];
  }
  if (partial.length > 0) return partial;
  const ofPrivate = facts.link.via === 'service-endpoint' ? { 'endpoint.address-gone': 70 } : {};
  return [
    ...weigh(evidence, {
      ...ofPrivate,
      'path.filter': isIpv6(failures) ? 35 : 50,
      'route.missing': 40,
    }),
    ...outsideNetwork(facts),
  ];
};

/** Errors with which a system refuses a connection of its own: by a local filter, or a route that ends here. */
const REFUSED_HERE: readonly unknown[] = ['EACCES', 'EPERM', 'EINVAL'];

/** The system itself refuses to dial. */
const refusedHere = unlessPartial((facts, failures) =>
  failures.every(({ evidence }) => REFUSED_HERE.includes(evidence.error))
    ? weigh(factsOfFailure(facts, failures), {
        'host.egress': 70,
        ...(isIpv6(failures) && { 'path.filter': 60 }),
        'route.missing': 50,
      })
    : [],
);

function factsOfFailure(facts: Facts, failures: Failures): Evidence {
  return {
    address: failedAddresses(facts, failures),
    ...pick(failures[0].evidence, 'port', 'error', 'own'),
  };
}

/** Over IPv6, what a filter says (ICMPv6, "administratively prohibited") is EACCES, and not EHOSTUNREACH. */
function isIpv6(failures: Failures): boolean {
  return failures.every(({ evidence }) => evidence.family === 6);
}

/** A rule for dials that were the first; where a connection was open before, less can be the cause. */
function atFirst(rule: Rule): Rule {
  return (facts, failures) => {
    const [{ stage, code, evidence }] = failures;
    if (stage === 'tcp' || code === undefined || !isCode(code)) return rule(facts, failures);
    const seen = { 'the connection before': 'was accepted', ...pick(evidence, 'error') };
    const again = findProbes(facts, 'new-connection').some(({ ok }) => ok);
    if (again) return weigh({ ...seen, 'the call again': 'answered' }, { 'service.call-lost': 80 });
    return [{ code, weight: 80, isShown: true, evidence: seen }];
  };
}

/** Rules for connections that do not open. */
export const CONNECTION_RULES: Rules = {
  'tcp.timeout': atFirst(packetsLost),
  'tcp.refused': atFirst(
    unlessPartial((facts, failures) =>
      weigh(factsOfFailure(facts, failures), { 'endpoint.no-listener': 60, 'path.filter': 30 }),
    ),
  ),
  'tcp.unreachable': atFirst(noRoute),
  'tcp.failed': atFirst(refusedHere),
};

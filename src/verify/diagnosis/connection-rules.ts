import { reasonOf } from '../../codes/codes.js';
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
  shownCause,
  unlessPartial,
  weigh,
} from './candidates.js';

/** The packets get no answer. */
const packetsLost = unlessPartial((facts, failures) => {
  const evidence = { address: failedAddresses(facts, failures) };
  if (facts.link.via !== 'service-endpoint') {
    return weigh(evidence, { 'host.egress': 60, 'tcp.unreachable: no route': 40 });
  }
  const ofEndpoint = { 'endpoint.security-group': 70, 'endpoint.not-accepted': 60 };
  return [
    ...outsideNetwork(facts).map((one) => ({ ...one, weight: Math.min(one.weight, 55) })),
    ...weigh(evidence, { ...ofEndpoint, 'tcp.unreachable: no route': 40, 'host.egress': 30 }),
  ];
});

/** The system or a router gives up: for want of a route, or of a host at its end. */
const noRoute: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.some(({ code }) => code === 'path.partial: one IP family')) return partial;
  const evidence = factsOfFailure(facts, failures);
  if (failures.every(({ evidence: { error, own } }) => error === 'ENETUNREACH' || own)) {
    const shown = shownCause('tcp.unreachable: no route', 80, evidence);
    return partial.length > 0 ? [shown] : [shown, ...outsideNetwork(facts)];
  }
  if (partial.length > 0) return partial;
  const ofPrivate =
    facts.link.via === 'service-endpoint' ? { 'endpoint.missing: no host': 70 } : {};
  return [
    ...weigh(evidence, {
      ...ofPrivate,
      'path.filter': isIpv6(failures) ? 35 : 50,
      'tcp.unreachable: no route': 40,
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
        'tcp.unreachable: no route': 50,
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
    const [{ stage, evidence }] = failures;
    const code = reasonOf(failures[0]);
    if (stage === 'tcp' || code === undefined) return rule(facts, failures);
    const seen = { 'the connection before': 'was accepted', ...pick(evidence, 'error') };
    const again = findProbes(facts, 'new-connection').some(({ ok }) => ok);
    if (again) {
      return weigh(
        { ...seen, 'the call again': 'answered' },
        { 'server.unsteady: one call lost': 80 },
      );
    }
    return [shownCause(code, 80, seen)];
  };
}

/** Rules for connections that do not open. */
export const CONNECTION_RULES: Rules = {
  'tcp.timeout': atFirst(packetsLost),
  'tcp.refused': atFirst(
    unlessPartial((facts, failures) =>
      weigh(factsOfFailure(facts, failures), { 'tcp.refused': 60, 'path.filter': 30 }),
    ),
  ),
  'tcp.unreachable': atFirst(noRoute),
  'tcp.unreachable: local error': atFirst(refusedHere),
};

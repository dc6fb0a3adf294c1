import type { Code } from '../../codes/codes.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import type { Evidence } from '../model/verification.js';
import { FIRST_BYTES } from '../probes/first-bytes.js';
import { NOBODYS_NAME } from '../probes/lost-packets.js';
import { isSenderShown } from '../transport/sender.js';
import { whyLargeIsLost } from '../transport/tls/hello-size.js';
import {
  type Candidate,
  expectsHeader,
  type Facts,
  type Failures,
  findProbes,
  listAddresses,
  measuredSkew,
  outsideNetwork,
  partialFailure,
  pick,
  type Rule,
  type Rules,
  unlessPartial,
  wayToSend,
  weigh,
} from './candidates.js';

/** The packets get no answer. */
const packetsLost = unlessPartial((facts, failures) => {
  const evidence = { address: listAddresses(failures) };
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
  const evidence = factsOfFailure(failures);
  if (failures.every((failure) => failure.evidence.error === 'ENETUNREACH')) {
    const shown = { code: 'route.missing', weight: 80, isShown: true, evidence } as const;
    return partial.length > 0 ? [shown] : [shown, ...outsideNetwork(facts)];
  }
  if (partial.length > 0) return partial;
  const ofPrivate = facts.link.via === 'service-endpoint' ? { 'endpoint.address-gone': 70 } : {};
  return [
    ...weigh(evidence, { ...ofPrivate, 'path.filter': 50, 'route.missing': 40 }),
    ...outsideNetwork(facts),
  ];
};

function factsOfFailure(failures: Failures): Evidence {
  return { address: listAddresses(failures), ...pick(failures[0].evidence, 'port', 'error') };
}

/** The certificate is for other names. */
const wrongName: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const { apiHost } = facts.link;
  const partial = partialFailure(facts, failures);
  if (coversName(evidence.names, apiHost) && apiHost !== facts.tlsServerName) {
    return [{ code: 'tls.server-name', weight: 95, isShown: true, evidence }, ...partial];
  }
  const other = byOtherName(facts, 'tls.name-mismatch');
  if (other.length + partial.length > 0) return [...other, ...partial];
  return weigh(evidence, { 'endpoint.wrong-service': 60, 'path.inspection': 50 });
};

/** The chain ends nowhere that is trusted. */
const untrusted: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const likeliest = coversName(evidence.names, facts.tlsServerName)
    ? { 'path.private-authority': 60 }
    : { 'endpoint.wrong-service': 55 };
  return [
    ...partialFailure(facts, failures),
    ...byNobodysName(facts, failures),
    ...weigh(evidence, { ...likeliest, 'path.inspection': 50 }),
  ];
};

/**
 * A certificate for a name that nobody has was made on the way; a self-signed one for other names that
 * is shown for every name is that of a front without one of its own.
 */
function byNobodysName(facts: Facts, failures: Failures): Candidate[] {
  const [failure] = failures;
  const found = findProbes(facts, 'server-name').find(({ changed }) => changed === NOBODYS_NAME);
  if (found === undefined) return [];
  const { evidence } = found;
  if (coversName(evidence.names, NOBODYS_NAME)) {
    const minted = {
      [wayToSend(NOBODYS_NAME)]: 'a certificate for it',
      ...pick(evidence, 'issuer'),
    };
    return [{ code: 'path.inspection', weight: 95, isShown: true, evidence: minted }];
  }
  const { subject, issuer, fingerprint256, names } = failure.evidence;
  const isOwn = subject !== undefined && subject === issuer;
  const isSame = fingerprint256 !== undefined && fingerprint256 === evidence.fingerprint256;
  if (!isOwn || !isSame || coversName(names, facts.tlsServerName)) return [];
  const shown = pick(failure.evidence, 'subject', 'names', 'serverName');
  return [{ code: 'server.default-certificate', weight: 90, isShown: true, evidence: shown }];
}

/** A certificate out of its time: either its time is over, or this machine's clock is off. */
const outOfTime: Rule = (facts, failures) => {
  const [failure] = failures;
  const code = failure.code === 'tls.expired' ? 'tls.expired' : 'tls.not-yet-valid';
  const { validFrom = '', validTo = '', outOfTime = '' } = failure.evidence;
  const skewMs = measuredSkew(facts);
  const partial = partialFailure(facts, failures);
  if (skewMs === undefined) {
    const localTime = new Date().toISOString();
    const evidence = { certificate: outOfTime, validFrom, validTo, localTime };
    const isEarly = code === 'tls.not-yet-valid';
    const weights = { [code]: isEarly ? 40 : 60, 'host.clock': isEarly ? 60 : 40 };
    return [...weigh(evidence, weights), ...partial];
  }
  const now = Date.now() + skewMs;
  const evidence = { skewMs, certificate: outOfTime, validFrom, validTo };
  const isFarOff = Math.abs(skewMs) > SKEW_WARNING_MS;
  const isInTime = Date.parse(String(validFrom)) <= now && now <= Date.parse(String(validTo));
  return [
    { code: isInTime && isFarOff ? 'host.clock' : code, weight: 90, isShown: true, evidence },
    ...partial,
  ];
};

/** Finds a cause by the port's answer to a few bytes in place of a handshake. */
function byFirstBytes(facts: Facts, [{ code = '' }]: Failures): Candidate[] {
  const tries = findProbes(facts, 'first-bytes');
  const header = expectsHeader(facts);
  if (header.length > 0) return header;
  if (code !== 'tls.timeout' || tries.length === 0) return [];
  // An end is an answer too: it takes a program that has read the bytes.
  const asked = tries.filter(({ changed }) => changed !== FIRST_BYTES.nothing);
  const answered = asked.find(({ ok }) => ok) ?? asked.find(({ code: own }) => own === 'tls.reset');
  if (answered !== undefined) {
    const { changed, evidence } = answered;
    const seen = { 'a handshake': 'no answer', [changed]: evidence.says ?? 'the connection ends' };
    return [{ code: 'path.mtu', weight: 85, evidence: seen }];
  }
  const evidence = Object.fromEntries(tries.map(({ changed }) => [changed, 'no answer']));
  const isSilent = tries.every(({ code: own }) => own === 'tls.timeout');
  return isSilent ? weigh(evidence, { 'server.hung': 65 }) : [];
}

/** The handshake is cut off, refused or silent. */
const brokenHandshake: Rule = (facts, failures) => {
  const [{ code = '' }] = failures;
  const partial = partialFailure(facts, failures);
  const unknown = unknownName(facts, failures);
  if (unknown.length > 0) return [...unknown, ...partial];
  // A hello without a name is smaller, too; the small one has the name that fails.
  const sized = whyLargeIsLost(findProbes(facts, 'hello-size'));
  if (sized !== undefined) return [{ ...sized, weight: 90, isShown: true }];
  const named = byOtherName(facts, code);
  if (named.length + partial.length > 0) return [...named, ...partial];
  const bytes = byFirstBytes(facts, failures);
  if (bytes.some(({ isShown }) => isShown)) return bytes;
  const others = findProbes(facts, 'server-name').map(({ changed, code: other = '' }) => [
    wayToSend(changed),
    other,
  ]);
  const evidence = { ...errorOf(failures), ...Object.fromEntries(others) };
  // Whatever has begun to answer is there.
  const noTarget = hasAnswered(failures) ? {} : { 'endpoint.no-target': 60 };
  if (code === 'tls.reset') return weigh(evidence, { ...noTarget, 'path.filter': 55 });
  if (code !== 'tls.timeout') return [];
  // A live server at the end contradicts that there is no target.
  if (bytes.some((one) => one.code === 'path.mtu'))
    return [...bytes, ...weigh(evidence, { 'path.filter': 30 })];
  return [...bytes, ...weigh(evidence, { ...noTarget, 'path.mtu': 50, 'path.filter': 30 })];
};

function hasAnswered(failures: Failures): boolean {
  return failures.every(({ evidence }) => evidence.received !== undefined);
}

/** The server says that it does not know the name, nor any other that it was tried with. */
function unknownName(facts: Facts, [{ evidence }]: Failures): Candidate[] {
  const named = findProbes(facts, 'server-name').filter(({ changed }) => changed !== 'none');
  const answers = [evidence, ...named.map((probe) => probe.evidence)];
  if (answers.some(({ alert }) => alert !== UNKNOWN_NAME)) return [];
  const names = [facts.tlsServerName, ...named.map(({ changed }) => changed)].join(', ');
  const shown = { 'knows none of these names': names };
  return [{ code: 'tls.unknown-name', weight: 90, isShown: true, evidence: shown }];
}

const UNKNOWN_NAME = 'unrecognized_name';

/** With another name the other side went on, or at least failed in another way. */
function byOtherName(facts: Facts, code: string): Candidate[] {
  return findProbes(facts, 'server-name')
    .filter((probe) => probe.ok || (probe.code !== code && ANSWERS.includes(probe.code ?? '')))
    .slice(0, 1)
    .map(({ changed, ok, code: otherCode = 'none', evidence }) => ({
      code:
        ok && changed === facts.link.apiHost && !coversName(evidence.names, facts.tlsServerName)
          ? 'tls.server-name'
          : 'path.name-filter',
      weight: 90,
      isShown: true,
      evidence: {
        [`as ${facts.tlsServerName}`]: code,
        [wayToSend(changed)]: ok ? 'works' : otherCode,
        ...pick(evidence, 'names'),
      },
    }));
}

/** A server that shows a certificate, or refuses in words, has answered. */
const ANSWERS: readonly string[] = [
  'tls.name-mismatch',
  'tls.untrusted',
  'tls.bad-certificate',
  'tls.expired',
  'tls.not-yet-valid',
  'tls.client-certificate',
  'tls.alert',
] satisfies Code[];

/** Returns the port's greeting, or its answer to plain words: `SSH-2.0-OpenSSH_9.6`. */
export function bannerOf(facts: Facts): Evidence {
  const tries = findProbes(facts, 'first-bytes');
  const found = tries.find(({ ok, evidence }) => ok && evidence.says !== undefined);
  return found === undefined ? {} : { banner: found.evidence.says ?? '' };
}

function errorOf([{ evidence }]: Failures): Evidence {
  return { error: evidence.error ?? '', ...pick(evidence, 'received') };
}

function certificateEvidence([{ evidence }]: Failures): Evidence {
  return { serverName: '', ...pick(evidence, 'serverName', 'names', 'issuer', 'error') };
}

/** @param names as Node tells them: `DNS:a.example, DNS:*.b.example` */
function coversName(names: unknown, host: string): boolean {
  const own = host.toLowerCase();
  return String(names)
    .split(',')
    .some((entry) => {
      const name = entry.trim().replace(/^DNS:/, '').toLowerCase();
      return name.startsWith('*.') ? own.replace(/^[^.]+/, '*') === name : own === name;
    });
}

/** Rules for connections that do not open, and handshakes that are not completed. */
export const CONNECTION_RULES: Rules = {
  'tcp.timeout': packetsLost,
  'tcp.refused': unlessPartial((_, failures) =>
    weigh(factsOfFailure(failures), { 'endpoint.no-listener': 60, 'path.filter': 30 }),
  ),
  'tcp.unreachable': noRoute,
  'tls.name-mismatch': wrongName,
  'tls.untrusted': untrusted,
  'tls.bad-certificate': partialFailure,
  'tls.expired': outOfTime,
  'tls.not-yet-valid': outOfTime,
  'tls.reset': brokenHandshake,
  'tls.timeout': brokenHandshake,
  'tls.alert': brokenHandshake,
  'tls.failed': brokenHandshake,
  'tls.not-tls': (facts, failures) => [
    ...partialFailure(facts, failures),
    {
      code: 'tls.not-tls',
      weight: 80,
      isShown: true,
      evidence: { ...errorOf(failures), ...bannerOf(facts) },
    },
  ],
  // The service asks for none. What has shown the certificate for its name is at least no other's.
  'tls.client-certificate': unlessPartial((facts, failures) =>
    isSenderShown(facts) && failures[0].evidence.protocol !== undefined
      ? []
      : weigh(certificateEvidence(failures), {
          'endpoint.wrong-service': 60,
          'path.inspection': 40,
        }),
  ),
};

import type { Code } from '../../codes/codes.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import type { Evidence, ProbeResult } from '../model/verification.js';
import { whyLargeIsLost } from '../transport/tls/hello-size.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  pick,
  type Rule,
  wayToSend,
  weigh,
} from './facts.js';
import { partialFailure, unlessPartial } from './shared-candidates.js';

/** The certificate is for other names. */
export const wrongName: Rule = (facts, failures) => {
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
export const untrusted: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const likeliest = coversName(evidence.names, facts.tlsServerName)
    ? { 'path.private-authority': 60 }
    : { 'endpoint.wrong-service': 55 };
  return [
    ...partialFailure(facts, failures),
    ...weigh(evidence, { ...likeliest, 'path.inspection': 50 }),
  ];
};

/** A certificate out of its time: either its time is over, or this machine's clock is off. */
export const outOfTime: Rule = (facts, failures) => {
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

/** The handshake is cut off, refused or silent. */
export const brokenHandshake: Rule = (facts, failures) => {
  const [{ code = '' }] = failures;
  const partial = partialFailure(facts, failures);
  // A hello without a name is smaller, too; the small one has the name that fails.
  const sized = whyLargeIsLost(findProbes(facts, 'hello-size'));
  if (sized !== undefined) return [{ ...sized, weight: 90, isShown: true }];
  const named = byOtherName(facts, code);
  if (named.length + partial.length > 0) return [...named, ...partial];
  const evidence = sameWithOtherNames(facts, failures);
  if (code === 'tls.timeout') {
    return weigh(evidence, { 'endpoint.no-target': 60, 'path.mtu': 50, 'path.filter': 30 });
  }
  if (code === 'tls.reset') {
    return weigh(evidence, { 'endpoint.no-target': 60, 'path.filter': 55 });
  }
  return [];
};

/** The service asks for no client certificate. */
export const clientCertificate = unlessPartial((_, failures) =>
  weigh(certificateEvidence(failures), { 'endpoint.wrong-service': 60, 'path.inspection': 40 }),
);

/** Something else than TLS on the port. */
export const notTls: Rule = (facts, failures) => [
  ...partialFailure(facts, failures),
  {
    code: 'tls.not-tls',
    weight: 80,
    isShown: true,
    evidence: { error: failures[0].evidence.error ?? '' },
  },
];

/** With another name the other side went on, or at least failed in another way. */
function byOtherName(facts: Facts, code: string): Candidate[] {
  return findProbes(facts, 'server-name')
    .filter((probe) => isAnswer(probe, code))
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

function isAnswer({ ok, code = '' }: ProbeResult, failed: string): boolean {
  if (ok) return true;
  return code !== failed && ANSWERS.includes(code);
}

function sameWithOtherNames(facts: Facts, [{ evidence }]: Failures): Evidence {
  const others = findProbes(facts, 'server-name').map(({ changed, code = '' }) => [
    wayToSend(changed),
    code,
  ]);
  const { error = '' } = evidence;
  return { error, ...Object.fromEntries(others) };
}

/** From a call over plain http, or from another address of the same name. */
function measuredSkew(facts: Facts): number | undefined {
  const [probe] = findProbes(facts, 'clock');
  const { skewMs } = probe?.evidence ?? {};
  return typeof skewMs === 'number' ? skewMs : facts.seen.skewMs;
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

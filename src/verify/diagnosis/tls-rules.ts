import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import type { Evidence, Finding, ProbeResult } from '../model/verification.js';
import { whyLargeIsLost } from '../transport/tls/hello-size.js';
import { type Candidate, type Facts, findProbes, pick, type Rule, wayToSend } from './facts.js';
import { partialFailure } from './shared-candidates.js';

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
  return [
    { code: 'endpoint.wrong-service', weight: 60, evidence },
    { code: 'path.inspection', weight: 50, evidence },
  ];
};

/** The chain ends nowhere that is trusted. */
export const untrusted: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  return [
    ...partialFailure(facts, failures),
    coversName(evidence.names, facts.tlsServerName)
      ? { code: 'path.private-authority', weight: 60, evidence }
      : { code: 'endpoint.wrong-service', weight: 55, evidence },
    { code: 'path.inspection', weight: 50, evidence },
  ];
};

/** A certificate out of its time: either its time is over, or this machine's clock is off. */
export const outOfTime: Rule = (facts, failures) => {
  const code = failures[0]?.code === 'tls.expired' ? 'tls.expired' : 'tls.not-yet-valid';
  const { validFrom = '', validTo = '', outOfTime = '' } = failures[0]?.evidence ?? {};
  const skewMs = measuredSkew(facts);
  const partial = partialFailure(facts, failures);
  if (skewMs === undefined) {
    const localTime = new Date().toISOString();
    const evidence = { certificate: outOfTime, validFrom, validTo, localTime };
    const isEarly = code === 'tls.not-yet-valid';
    return [
      { code, weight: isEarly ? 40 : 60, evidence },
      { code: 'host.clock', weight: isEarly ? 60 : 40, evidence },
      ...partial,
    ];
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
  const code = failures[0]?.code ?? '';
  const partial = partialFailure(facts, failures);
  // A hello without a name is smaller, too; the small one has the name that fails.
  const sized = whyLargeIsLost(findProbes(facts, 'hello-size'));
  if (sized !== undefined) return [{ ...sized, weight: 90, isShown: true }];
  const named = byOtherName(facts, code);
  if (named.length + partial.length > 0) return [...named, ...partial];
  const evidence = sameWithOtherNames(facts, failures);
  if (code === 'tls.timeout') {
    return [
      { code: 'endpoint.no-target', weight: 60, evidence },
      { code: 'path.mtu', weight: 50, evidence },
      { code: 'path.filter', weight: 30, evidence },
    ];
  }
  if (code === 'tls.reset') {
    return [
      { code: 'endpoint.no-target', weight: 60, evidence },
      { code: 'path.filter', weight: 55, evidence },
    ];
  }
  return [];
};

/** The service asks for no client certificate. */
export const clientCertificate: Rule = (facts, failures) => {
  const partial = partialFailure(facts, failures);
  if (partial.length > 0) return partial;
  const evidence = certificateEvidence(failures);
  return [
    { code: 'endpoint.wrong-service', weight: 60, evidence },
    { code: 'path.inspection', weight: 40, evidence },
  ];
};

/** Something else than TLS on the port. */
export const notTls: Rule = (facts, failures) => [
  ...partialFailure(facts, failures),
  {
    code: 'tls.not-tls',
    weight: 80,
    isShown: true,
    evidence: { error: failures[0]?.evidence.error ?? '' },
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
const ANSWERS = ['name-mismatch', 'untrusted', 'bad-certificate', 'alert', 'expired'].map(
  (what) => `tls.${what}`,
);

function isAnswer({ ok, code = '' }: ProbeResult, failed: string): boolean {
  if (ok) return true;
  return code !== failed && ANSWERS.includes(code);
}

function sameWithOtherNames(facts: Facts, failures: readonly Finding[]): Evidence {
  const others = findProbes(facts, 'server-name').map(({ changed, code = '' }) => [
    wayToSend(changed),
    code,
  ]);
  const { error = '' } = failures[0]?.evidence ?? {};
  return { error, ...Object.fromEntries(others) };
}

/** From a call over plain http, or from another address of the same name. */
function measuredSkew(facts: Facts): number | undefined {
  const [probe] = findProbes(facts, 'clock');
  const { skewMs } = probe?.evidence ?? {};
  return typeof skewMs === 'number' ? skewMs : facts.skewMs;
}

function certificateEvidence(failures: readonly Finding[]): Evidence {
  return {
    serverName: '',
    ...pick(failures[0]?.evidence, 'serverName', 'names', 'issuer', 'error'),
  };
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

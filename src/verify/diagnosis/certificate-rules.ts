import type { Code } from '../../codes/codes.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import { isGood } from '../model/findings.js';
import type { Evidence } from '../model/verification.js';
import { NOBODYS_NAME } from '../model/verification-names.js';
import { isSenderShown } from '../transport/sender.js';
import { coversName, relatedName } from '../transport/tls/covers-name.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findOtherNames,
  findProbes,
  measuredSkew,
  partialFailure,
  pick,
  type Rule,
  type Rules,
  unlessPartial,
  wayToSend,
  weigh,
} from './candidates.js';

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
  const [{ code, address = '' }] = failures;
  const related = relatedName(evidence.names, facts.tlsServerName, address);
  const own = related && code ? { [code]: 65 } : {};
  const weights = { ...own, 'endpoint.wrong-service': 60, 'path.inspection': 50 };
  return weigh({ ...evidence, ...(related && { note: related }) }, weights);
};

/** The chain ends nowhere that is trusted. */
const untrusted: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const likeliest = coversName(evidence.names, facts.tlsServerName)
    ? { 'path.private-authority': 60 }
    : { 'endpoint.wrong-service': 55 };
  return [
    ...partialFailure(facts, failures),
    ...byNobodysName(facts),
    ...byOtherName(facts, 'tls.untrusted'),
    ...weigh(evidence, { ...likeliest, 'path.inspection': 50 }),
  ];
};

/** Finds that a certificate is made for whatever name is asked, for which an inspection is one explanation. */
function byNobodysName(facts: Facts): Candidate[] {
  const found = findProbes(facts, 'server-name').find(({ changed }) => changed === NOBODYS_NAME);
  if (found === undefined || !coversName(found.evidence.names, NOBODYS_NAME)) return [];
  const minted = {
    [wayToSend(NOBODYS_NAME)]: 'a certificate for it, made for whatever name is asked',
    ...pick(found.evidence, 'issuer'),
  };
  return weigh(minted, { 'path.inspection': 95 });
}

/** A certificate out of its time: either its time is over, or this machine's clock is off. */
const outOfTime: Rule = (facts, failures) => {
  const [failure] = failures;
  const code = failure.code === 'tls.expired' ? 'tls.expired' : 'tls.not-yet-valid';
  const { outOfTime: certificate = '', ...seen } = failure.evidence;
  const { outOfTimeFrom: validFrom = '', outOfTimeTo: validTo = '' } = seen;
  const dates = { certificate, validFrom, validTo };
  const partial = partialFailure(facts, failures);
  const shown = (cause: Code, evidence: Evidence): Candidate[] => [
    { code: cause, weight: 90, isShown: true, evidence },
    ...partial,
  ];
  const skewMs = measuredSkew(facts);
  if (skewMs !== undefined) {
    const now = Date.now() + skewMs;
    const isFarOff = Math.abs(skewMs) > SKEW_WARNING_MS;
    const isInTime = Date.parse(`${validFrom}`) <= now && now <= Date.parse(`${validTo}`);
    return shown(isInTime && isFarOff ? 'host.clock' : code, { skewMs, ...dates });
  }
  const wasTaken = facts.findings.some((one) => one.stage === 'token' && isGood(one));
  if (wasTaken) return shown(code, { ...dates, 'a JWT of this clock': 'accepted' });
  const isEarly = code === 'tls.not-yet-valid';
  const weights = { [code]: isEarly ? 40 : 60, 'host.clock': isEarly ? 60 : 40 };
  return [...weigh({ ...dates, localTime: new Date().toISOString() }, weights), ...partial];
};

/** Finds a cause where the other side accepts another name, or at least fails in another way. */
export function byOtherName(facts: Facts, code: string): Candidate[] {
  return findOtherNames(facts)
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

/** Picks evidence of the first certificate, with the names of others at other addresses. */
function certificateEvidence([{ evidence }, ...others]: Failures): Evidence {
  const differing = others.filter((other) => other.evidence.names !== evidence.names);
  return {
    serverName: '',
    ...pick(evidence, 'serverName', 'names', 'issuer', 'error'),
    ...Object.fromEntries(
      differing.map((other) => [`names at ${other.address ?? ''}`, other.evidence.names ?? '']),
    ),
  };
}

/** The service asks for none. What has shown the certificate for its name is at least no other's. */
const clientCertificate: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const demanded: Candidate = {
    code: 'tls.client-certificate',
    weight: 90,
    isShown: true,
    evidence,
  };
  const isKnown = isSenderShown(facts) && failures[0].evidence.protocol !== undefined;
  const others = { 'endpoint.wrong-service': 60, 'path.inspection': 40 };
  return [demanded, ...(isKnown ? [] : weigh(evidence, others))];
};

/** Rules for certificates that are refused, on either side. */
export const CERTIFICATE_RULES: Rules = {
  'tls.name-mismatch': wrongName,
  'tls.untrusted': untrusted,
  'tls.bad-certificate': partialFailure,
  'tls.expired': outOfTime,
  'tls.not-yet-valid': outOfTime,
  'tls.client-certificate': unlessPartial(clientCertificate),
};

import { type Reason, reasonOf } from '../../codes/codes.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import { isGood } from '../model/findings.js';
import type { Evidence } from '../model/verification.js';
import { NOBODYS_NAME } from '../model/verification-names.js';
import { isSenderShown } from '../transport/sender.js';
import { coversName, relatedName } from '../transport/tls/certificate-facts.js';
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
  shownCause,
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
    return [shownCause('tls.server-name', 95, evidence), ...partial];
  }
  const other = byOtherName(facts, 'tls.name-mismatch');
  if (other.length + partial.length > 0) return [...other, ...partial];
  const [{ address = '' }] = failures;
  const related = relatedName(evidence.names, facts.tlsServerName, address);
  const own = related ? { 'tls.name-mismatch': 65 } : {};
  const weights = { ...own, 'server.other-service': 60, 'path.inspection': 50 };
  return weigh({ ...evidence, ...(related && { note: related }) }, weights);
};

/** The chain ends nowhere that is trusted. */
const untrusted: Rule = (facts, failures) => {
  const evidence = certificateEvidence(failures);
  const likeliest = coversName(evidence.names, facts.tlsServerName)
    ? { 'tls.untrusted: unknown authority': 60 }
    : { 'server.other-service': 55 };
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
  const code = reasonOf(failure) === 'tls.expired' ? 'tls.expired' : 'tls.expired: not yet valid';
  const { outOfTime: certificate = '', ...seen } = failure.evidence;
  const { outOfTimeFrom: validFrom = '', outOfTimeTo: validTo = '' } = seen;
  const dates = { certificate, validFrom, validTo };
  const partial = partialFailure(facts, failures);
  const shown = (cause: Reason, evidence: Evidence): Candidate[] => [
    shownCause(cause, 90, evidence),
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
  const isEarly = code === 'tls.expired: not yet valid';
  const weights = { [code]: isEarly ? 40 : 60, 'host.clock': isEarly ? 60 : 40 };
  return [...weigh({ ...dates, localTime: new Date().toISOString() }, weights), ...partial];
};

/** Finds a cause where the other side accepts another name, or at least fails in another way. */
export function byOtherName(facts: Facts, code: Reason): Candidate[] {
  return findOtherNames(facts)
    .filter((probe) => probe.ok || (reasonOf(probe) !== code && ANSWERS.includes(reasonOf(probe))))
    .slice(0, 1)
    .map((probe) => {
      const { changed, ok, evidence } = probe;
      const isOther =
        ok && changed === facts.link.apiHost && !coversName(evidence.names, facts.tlsServerName);
      return shownCause(isOther ? 'tls.server-name' : 'path.name-filter', 90, {
        [`as ${facts.tlsServerName}`]: code,
        [wayToSend(changed)]: ok ? 'works' : (reasonOf(probe) ?? 'none'),
        ...pick(evidence, 'names'),
      });
    });
}

/** A server that shows a certificate, or refuses in words, has answered. */
const ANSWERS: readonly (Reason | undefined)[] = [
  'tls.name-mismatch',
  'tls.untrusted',
  'tls.bad-certificate',
  'tls.expired',
  'tls.expired: not yet valid',
  'tls.client-certificate',
  'tls.failed: alert',
];

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
  const demanded: Candidate = shownCause('tls.client-certificate', 90, evidence);
  const isKnown = isSenderShown(facts) && failures[0].evidence.protocol !== undefined;
  const others = { 'server.other-service': 60, 'path.inspection': 40 };
  return [demanded, ...(isKnown ? [] : weigh(evidence, others))];
};

/** Rules for certificates that are refused, on either side. */
export const CERTIFICATE_RULES: Rules = {
  'tls.name-mismatch': wrongName,
  'tls.untrusted': untrusted,
  'tls.bad-certificate': partialFailure,
  'tls.expired': outOfTime,
  'tls.expired: not yet valid': outOfTime,
  'tls.client-certificate': unlessPartial(clientCertificate),
};

import { isIP } from 'node:net';
import type { Reason } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { readDate, type ServiceResponse } from '../../service/http/message.js';
import { receivedAlert } from '../../service/http/tls-alert.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import {
  blocked,
  type FindingFacts,
  failed,
  isGood,
  type LooseEvidence,
  passed,
  skipped,
  warned,
} from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { type LinkContext, type Stage, timesOf } from '../transport/context.js';
import type { Path } from '../transport/path.js';
import { coversName } from '../transport/tls/certificate-facts.js';
import { readHandshakeError } from '../transport/tls/secure.js';

/**
 * Passes only once bytes of an answer have arrived: in TLS 1.3 a client is done before the server
 * has said whether it agrees.
 */
export const tls: Stage = async (context) => {
  if (context.isPlain) return [skipped('tls', 'the base URL is plain http')];
  const findings = await Promise.all(context.seen.paths.map((path) => judge(context, path)));
  return withObjections(context, findings);
};

/** Adds a finding for each certificate that only lenient clients accept, as this one is. */
function withObjections(
  { tlsServerName: serverName, run }: LinkContext,
  findings: readonly Finding[],
): Finding[] {
  const warnings = findings.filter(isGood).flatMap(({ startMs, address, evidence }) => {
    const { subject, names, issuer, missingRoot } = evidence;
    const warn = (reason: Reason, facts: LooseEvidence) =>
      warned('tls', reason, { startMs, address, evidence: facts });
    const isNamed = isIP(serverName) !== 0 || coversName(names, serverName);
    const trust = `by ${run.ownAuthority}`;
    return [
      ...(isNamed
        ? []
        : [warn('tls.bad-certificate: lenient name', { serverName, subject, names })]),
      ...(missingRoot ? [warn('tls.untrusted: no root', { issuer, trust, missingRoot })] : []),
    ];
  });
  return [...findings, ...warnings];
}

/** Codes of an answer of which some bytes have arrived. */
const HAS_COME =
  /^http\.(unexpected-answer(: (invalid HTTP|too long))?|timeout: HTTP 408|reset: cut short)$/;

async function judge(
  context: LinkContext,
  { address, tls: securing, answer }: Path,
): Promise<Finding> {
  const secured = await securing;
  if (secured === undefined) return blocked('tls', 'tcp', { address });
  const times = { ...timesOf(context, secured), address };
  if (!secured.ok) {
    const { cause, seen } = readHandshakeError(secured.error);
    const code = transportCode(cause, 'tls');
    return failed('tls', code, {
      ...times,
      evidence: {
        ...seen,
        error: errorName(cause),
        ...(code === 'tls.bad-certificate' && { reason: safeText((cause as Error).message) }),
        ...readAlert(cause),
      },
    });
  }
  const answered = await answer;
  const facts = { ...times, evidence: secured.value.evidence };
  if (context.run.connectOnly) return passed('tls', facts);
  if (answered?.ok) return judgeLife(facts, answered.value.response);
  const code = readTlsCode(answered?.error);
  if (code !== undefined) {
    const { cause = answered?.error } = answered?.error as { cause?: unknown };
    const after = { 'after the handshake': errorName(cause), ...readAlert(cause) };
    return failed('tls', code, { ...facts, evidence: { ...facts.evidence, ...after } });
  }
  // What cannot be read has come all the same.
  return HAS_COME.test(transportCode(answered?.error, 'http'))
    ? passed('tls', facts)
    : skipped('tls', 'handshake done, no whole answer', facts);
}

/** Judges the certificate's life by the server's clock, if it tells the time: this machine's may be wrong. */
function judgeLife(facts: FindingFacts, { headers, receivedAt }: ServiceResponse): Finding {
  const daysLeft = lastDays(facts.evidence ?? {}, readDate(headers) ?? receivedAt);
  if (daysLeft === undefined) return passed('tls', facts);
  return warned('tls', 'tls.expired: soon', {
    ...facts,
    evidence: { ...facts.evidence, daysLeft },
  });
}

/** The server’s objection may come only with the first read. */
export function readTlsCode(error: unknown): Reason | undefined {
  return error instanceof ConnectivityError && error.code.startsWith('tls.')
    ? error.reason
    : undefined;
}

/** An alert that came, by the name of the standard; otherwise what this side objects to. */
function readAlert(error: unknown): LooseEvidence {
  const alert = receivedAlert(error);
  if (alert !== undefined) return { alert };
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' ? { reason: safeText(reason) } : {};
}

const DAY_MS = 86_400_000;

/** Time in which people renew a certificate by hand. */
const MIN_LEFT_MS = 30 * DAY_MS;

/** Certificates with a short life are renewed by programs, mostly at a third before the end. */
const MIN_LEFT_OF_LIFE = 1 / 3;

/**
 * The whole days that are left of a certificate that ends soon.
 *
 * @param certificate evidence with `validFrom` and `validTo`
 * @param now milliseconds since the epoch
 * @returns undefined where it does not end soon, or does not say when
 */
function lastDays({ validFrom, validTo }: LooseEvidence, now: number): number | undefined {
  const end = Date.parse(`${validTo}`);
  const lifeMs = end - Date.parse(`${validFrom}`);
  const leftMs = end - now;
  const isSoon = leftMs < Math.min(MIN_LEFT_MS, lifeMs * MIN_LEFT_OF_LIFE);
  return isSoon ? Math.max(0, Math.floor(leftMs / DAY_MS)) : undefined;
}

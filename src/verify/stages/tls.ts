import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import type { ServiceResponse } from '../../service/http/message.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import {
  blocked,
  type FindingFacts,
  failed,
  type LooseEvidence,
  passed,
  skipped,
  warned,
} from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import type { Path } from '../transport/path.js';
import { HandshakeError } from '../transport/tls/secure.js';
import { tryLargeHello } from './large-hello.js';
import type { Stage } from './stage.js';

/**
 * Passes only once bytes of an answer have arrived: in TLS 1.3 a client is done before the server
 * has said whether it agrees.
 */
export const tls: Stage = {
  name: 'tls',
  run: async (context) => {
    const { isPlain, seen } = context;
    if (isPlain) {
      return { findings: [skipped('tls', 'the base URL is plain http')], goOn: true };
    }
    const aside = tryLargeHello(context);
    const findings = await Promise.all(seen.paths.map(judge));
    const answered = await Promise.all(seen.paths.map(({ answer }) => answer));
    return {
      findings,
      goOn: answered.some((answer, i) => answer !== undefined && findings[i]?.status !== 'failed'),
      ...(aside && { aside }),
    };
  },
};

async function judge({ address, tls: securing, answer }: Path): Promise<Finding> {
  const secured = await securing;
  if (secured === undefined) return blocked('tls', 'tcp', { address });
  const { elapsedMs } = secured;
  if (!secured.ok) {
    const { error } = secured;
    const cause = error instanceof HandshakeError ? error.cause : error;
    const seen = error instanceof HandshakeError ? error.evidence : {};
    const code = transportCode(cause, 'tls');
    return failed('tls', code, {
      elapsedMs,
      address,
      evidence: {
        ...seen,
        error: errorName(cause),
        ...(code === 'tls.bad-certificate' && { reason: safeText((cause as Error).message) }),
        ...alertOf(cause),
      },
    });
  }
  const answered = await answer;
  const facts = { elapsedMs, address, evidence: secured.value.evidence };
  if (answered?.ok) return judgeLife(facts, answered.value.response);
  const code = tlsCodeOf(answered?.error);
  if (code === undefined)
    return hasAnswered(answered?.error)
      ? passed('tls', facts)
      : skipped('tls', 'handshake done, but no complete answer came', facts);
  return failed('tls', code, facts);
}

/** By the server's clock, where it tells the time: this machine's may be wrong. */
function judgeLife(facts: FindingFacts, { headers, receivedAt }: ServiceResponse): Finding {
  const date = Date.parse(headers.date ?? '');
  const daysLeft = lastDays(facts.evidence ?? {}, Number.isNaN(date) ? receivedAt : date);
  if (daysLeft === undefined) return passed('tls', facts);
  return warned('tls', 'tls.expires-soon', { ...facts, evidence: { ...facts.evidence, daysLeft } });
}

/** What cannot be read has come all the same. */
function hasAnswered(error: unknown): boolean {
  return error instanceof ConnectivityError && error.code === 'http.not-the-service';
}

/** The server’s objection may come only with the first read. */
export function tlsCodeOf(error: unknown): Code | undefined {
  return error instanceof ConnectivityError && error.code.startsWith('tls.')
    ? error.code
    : undefined;
}

function alertOf(error: unknown): { alert?: string } {
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' ? { alert: safeText(reason) } : {};
}

const DAY_MS = 86_400_000;

/** Time in which people renew a certificate by hand. */
const LEAST_LEFT_MS = 30 * DAY_MS;

/** Certificates with a short life are renewed by programs, mostly at a third before the end. */
const LEAST_LEFT_OF_LIFE = 1 / 3;

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
  const isSoon = leftMs < Math.min(LEAST_LEFT_MS, lifeMs * LEAST_LEFT_OF_LIFE);
  return isSoon ? Math.max(0, Math.floor(leftMs / DAY_MS)) : undefined;
}

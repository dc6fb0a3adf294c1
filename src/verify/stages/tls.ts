import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import type { ServiceResponse } from '../../service/http/message.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { readDate } from '../model/clock-skew.js';
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
import { type LinkContext, type Stage, timesOf } from '../transport/context.js';
import type { Path } from '../transport/path.js';
import {
  HELLO_NAMES,
  LARGE_HELLO_BYTES,
  sayHello,
  whyLargeIsLost,
} from '../transport/tls/hello-size.js';
import { readHandshakeError } from '../transport/tls/secure.js';

/**
 * Passes only once bytes of an answer have arrived: in TLS 1.3 a client is done before the server
 * has said whether it agrees.
 */
export const tls: Stage = async (context) =>
  context.isPlain
    ? [skipped('tls', 'the base URL is plain http')]
    : await Promise.all(context.seen.paths.map((path) => judge(context, path)));

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
  if (answered?.ok) return judgeLife(facts, answered.value.response);
  const code = readTlsCode(answered?.error);
  if (code !== undefined) return failed('tls', code, facts);
  // What cannot be read has come all the same.
  return transportCode(answered?.error, 'http') === 'http.not-the-service'
    ? passed('tls', facts)
    : skipped('tls', 'handshake done, but no complete answer came', facts);
}

/** By the server's clock, where it tells the time: this machine's may be wrong. */
function judgeLife(facts: FindingFacts, { headers, receivedAt }: ServiceResponse): Finding {
  const daysLeft = lastDays(facts.evidence ?? {}, readDate(headers) ?? receivedAt);
  if (daysLeft === undefined) return passed('tls', facts);
  return warned('tls', 'tls.expires-soon', { ...facts, evidence: { ...facts.evidence, daysLeft } });
}

/** The server’s objection may come only with the first read. */
export function readTlsCode(error: unknown): Code | undefined {
  return error instanceof ConnectivityError && error.code.startsWith('tls.')
    ? error.code
    : undefined;
}

function readAlert(error: unknown): { alert?: string } {
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

/** Time for a connection, and again for an answer: a link that works need not wait for long. */
const MOST_MS = 2_000;

/** Of so many hosts the outcome is kept. */
const MOST_HOSTS = 1_000;

/**
 * Sends a large ClientHello to an address that has answered a small one, where that is asked for. A
 * check whose own hello is large needs no other.
 */
export async function tryLargeHello(context: LinkContext): Promise<readonly Finding[]> {
  const { run, host, port, tlsServerName, seen } = context;
  const { newerClients, probes = true } = run.options;
  if (context.isPlain || !newerClients || !probes) return [];
  const { address, helloBytes } = await Promise.any(seen.paths.map(securedPath));
  if (helloBytes >= LARGE_HELLO_BYTES) return [];
  const { largeHellos: known } = run;
  const key = JSON.stringify([host, port, tlsServerName]);
  const earlier = known.get(key);
  if (earlier !== undefined) return await earlier;
  if (known.size >= MOST_HOSTS) known.clear();
  const trying = compareHellos(context, address);
  known.set(key, trying);
  // A try that was cut short shows nothing: the next link of this host tries again.
  trying.catch(() => known.delete(key));
  return await trying;
}

async function securedPath({ address, tls }: Path) {
  const secured = await tls;
  if (!secured?.ok) throw new Error('no handshake');
  return { address, helloBytes: secured.value.helloBytes };
}

/** One large hello; only where it is lost, it is compared with a small one and with others. */
async function compareHellos(context: LinkContext, address: string): Promise<Finding[]> {
  const start = performance.now();
  const [, large] = HELLO_NAMES;
  const say = async (name: (typeof HELLO_NAMES)[number]) => {
    const outcome = await sayHello(context, address, name, MOST_MS);
    context.signal.throwIfAborted();
    return { changed: name, ...outcome };
  };
  // Less time would call slow what is lost.
  const hasTime = () => context.budgetMs(1) >= MOST_MS;
  if (large === undefined || !hasTime() || (await say(large)).ok || !hasTime()) return [];
  const why = whyLargeIsLost(await Promise.all(HELLO_NAMES.map(say)));
  if (why === undefined) return [];
  const evidence = { address, ...why.evidence, see: why.code };
  const elapsedMs = performance.now() - start;
  return [warned('tls', 'tls.large-hello-lost', { elapsedMs, evidence })];
}

import { warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import type { LinkContext } from '../transport/link-context.js';
import type { Path } from '../transport/path.js';
import {
  HELLO_NAMES,
  LARGE_HELLO_BYTES,
  sayHello,
  whyLargeIsLost,
} from '../transport/tls/hello-size.js';

/** Time for a connection, and again for an answer: a link that works need not wait for long. */
const MOST_MS = 2_000;

/** Of so many hosts the outcome is kept. */
const MOST_HOSTS = 1_000;

/**
 * Sends a large ClientHello to an address that has answered a small one, where that is asked for. A
 * check whose own hello is large needs no other.
 *
 * @returns undefined where it is not asked for
 */
export function tryLargeHello(context: LinkContext): Promise<readonly Finding[]> | undefined {
  const { newerClients, probes = true } = context.run.options;
  if (!newerClients || !probes) return undefined;
  const found = findLoss(context);
  // It may end with the attempt, when nobody waits for it any more.
  found.catch(() => undefined);
  return found;
}

async function findLoss(context: LinkContext): Promise<readonly Finding[]> {
  const { run, host, port, tlsServerName, seen } = context;
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

import { Resolver } from 'node:dns/promises';

const MOST_IDLE = 64;

/** The idle resolvers, by server and timeout. */
const idle = new Map<string, Resolver[]>();

/**
 * Lends a resolver of its own to some work: making one costs more than a query. It goes back only when
 * the work has ended by itself, so that a cancelled query never ends another's.
 *
 * @param server `IP:PORT`
 * @param timeoutMs of the first of two tries, so that one lost packet is no failure; the second waits longer
 */
export async function withResolver<T>(
  server: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const key = `${server} ${timeoutMs}`;
  const resolver = idle.get(key)?.pop() ?? newResolver(server, timeoutMs);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work(resolver);
  } finally {
    signal.removeEventListener('abort', cancel);
    if (!signal.aborted) keep(key, resolver);
  }
}

function newResolver(server: string, timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  resolver.setServers([server]);
  return resolver;
}

function keep(key: string, resolver: Resolver): void {
  if (idle.size >= MOST_IDLE && !idle.has(key)) idle.clear();
  const same = idle.get(key) ?? [];
  if (same.length < MOST_IDLE) idle.set(key, [...same, resolver]);
}

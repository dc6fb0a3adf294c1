import { Resolver } from 'node:dns/promises';
import type { StopSignal } from '../../../service/http/stop-signal.js';

const MOST_KEPT = 64;

interface Shared {
  readonly resolver: Resolver;
  users: number;
}

/** By server and timeout. Lookups that overlap share a socket, and making a resolver costs more than a query. */
const kept = new Map<string, Shared>();

/**
 * Lends a resolver to some work, together with whoever asks the same server at that time. When the
 * signal ends it, its queries are cancelled once nobody else has queries under way.
 *
 * @param server `IP:PORT`
 * @param timeoutMs of the first of two tries, so that one lost packet is no failure; the second waits longer
 */
export async function withResolver<T>(
  server: string,
  timeoutMs: number,
  signal: StopSignal,
  work: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const shared = resolverFor(server, timeoutMs);
  let isUser = true;
  const leave = () => {
    if (!isUser) return;
    isUser = false;
    shared.users -= 1;
    if (signal.aborted && shared.users === 0) shared.resolver.cancel();
  };
  shared.users += 1;
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await work(shared.resolver);
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

function resolverFor(server: string, timeoutMs: number): Shared {
  const key = `${server} ${timeoutMs}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= MOST_KEPT) kept.clear();
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  resolver.setServers([server]);
  const shared = { resolver, users: 0 };
  kept.set(key, shared);
  return shared;
}

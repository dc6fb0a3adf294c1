import type { Link } from '../../link/link.js';
import { hostOf, portOf } from '../host-port.js';
import type { RunContext } from '../run-context.js';
import { effectiveProxy, OBEYING_CLIENTS } from './effective-proxy.js';

/** What a reader must know of proxies: which one was used, or which one other clients would use. */
export function proxyNote(
  { proxy, options }: RunContext,
  link: Link,
  addresses: readonly string[],
): string | undefined {
  if (proxy !== undefined) return `through the proxy ${proxy.shown}`;
  const url = new URL(link.baseUrl);
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  const target = { scheme, host: hostOf(url), port: portOf(url), addresses } as const;
  const found = effectiveProxy(options.environment ?? {}, target);
  if (found === undefined) return undefined;
  const { variable, exemptBy, byAddressOnly } = found;
  if (exemptBy !== undefined) {
    return `${variable} is set, and NO_PROXY exempts the host by "${exemptBy}"; this check goes directly`;
  }
  const named = found.proxy?.shown ?? 'something that is no http proxy';
  const ignored =
    byAddressOnly.length === 0
      ? ''
      : `; NO_PROXY has ${byAddressOnly.join(', ')}, which several clients do not compare with a host name`;
  return `${variable} names ${named} for this host (${OBEYING_CLIENTS}); this check goes directly${ignored}`;
}

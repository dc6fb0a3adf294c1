/**
 * Why a request to a server on loopback is refused; undefined where it may pass. A web page that is
 * open in a browser on this machine reaches loopback as well: it sends an origin, or the name that it
 * has led to loopback as the host.
 */
export function foreignCaller({
  host = '',
  origin,
}: {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}): string | undefined {
  if (!/^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    return `\`Host\` must be a loopback address, got: ${JSON.stringify(host)}`;
  }
  if (origin === undefined) return undefined;
  return `\`Origin\` must be absent, got: ${JSON.stringify(origin)}`;
}

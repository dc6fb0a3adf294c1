const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
// A last label that begins with a digit would make it an address in one of its spellings: `0x7f.1`.
const LAST_LABEL = '[a-z]([a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^(?=.{1,253}$)(${LABEL}\\.)*${LAST_LABEL}$`, 'i');

/** A host name below a domain, in the lower case that the cloud keeps its records in. */
export const DOMAIN_NAME = new RegExp(`^(?=.{1,253}$)(${LABEL}\\.)+${LAST_LABEL}$`);

export const DOMAIN_NAME_RULE = 'must be a host name in lower case, without scheme, port or path';

/**
 * Tells whether a text is a host name and nothing else: labels of letters, digits and hyphens, in any case,
 * with or without a domain; no scheme, port or path, and no address in any spelling.
 */
export function isHostName(text: string): boolean {
  return HOST_NAME.test(text);
}

/** Tells whether it is a host name below a domain, in any case. */
export function isDomainName(text: string): boolean {
  return DOMAIN_NAME.test(text.toLowerCase());
}

/** Tells whether a name is that of a zone or domain, or below it. Both are in the same case. */
export function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Tells whether a URL is scheme, host and port and nothing else: no user, password, path or query. */
export function isOrigin(url: URL): boolean {
  return url.href === `${url.origin}/`;
}

/** A loopback address or `localhost`, as a URL and a `Host` header have it. */
export const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i;

/**
 * Explains why a request to a server on loopback is refused; undefined where it may pass. A web page that is
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
  if (!LOOPBACK_HOST.test(host)) {
    return `\`Host\` must be a loopback address, got: ${JSON.stringify(host)}`;
  }
  if (origin === undefined) return undefined;
  return `\`Origin\` must be absent, got: ${JSON.stringify(origin)}`;
}

const MOST = 64;

/** A name in the alphabet of the firewall's address books: other signs become `-`. */
export function addressBookName(...parts: readonly string[]): string {
  return parts
    .join('-')
    .replaceAll(/[^A-Za-z0-9\p{Script=Han}_-]/gu, '-')
    .slice(0, MOST);
}

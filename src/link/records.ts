/** Seconds; short, for the addresses change when the endpoint is replaced. */
export const RECORD_TTL = 60;

/** The lines of a zone file that lead a host to addresses, those of IPv6 included. */
export function recordLines(host: string, addresses: readonly string[]): string[] {
  return addresses.map(
    (address) => `${host}. ${RECORD_TTL} IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`,
  );
}

import { formatAddress } from '../../net/address.js';

// The messages of DNS (RFC 1035), as far as addresses are asked for.

export type AddressFamily = 4 | 6;

const HEADER_BYTES = 12;
const RECURSION_DESIRED = 0x0100;
const RESPONSE = 0x8000;
const AUTHORITATIVE = 0x0400;
const OPCODE = 0x7800;
const TRUNCATED = 0x0200;
const RECURSION_AVAILABLE = 0x0080;
const RCODE = 0xf;
const NO_SUCH_NAME = 3;
const REFUSED = 5;
const CLASS_INTERNET = 1;
const TYPES = { 4: 1, 6: 28 } as const;
const CNAME = 5;
/** Says in the authority section that the server has the zone (RFC 2308). */
const SOA = 6;
const KNOWN_TYPES: readonly number[] = [TYPES[4], TYPES[6], CNAME, SOA];
const MAX_LABEL = 63;
const MAX_NAME = 253;

/** The failures that a server reports, as `node:dns` names them. */
const BY_RCODE: Readonly<Record<number, string>> = {
  1: 'EFORMERR',
  2: 'ESERVFAIL',
  4: 'ENOTIMP',
  [REFUSED]: 'EREFUSED',
};

/** An error with a code of `node:dns`. */
export function dnsError(code: string, detail?: string): Error {
  return Object.assign(new Error(detail ?? code), {
    code,
    ...(detail !== undefined && { detail }),
  });
}

/** One for all: most hosts have no IPv6 address, and an error takes long to make. */
const NO_DATA = dnsError('ENODATA');

/** Writes a query with the ID 0. @throws Error `EBADNAME` where DNS can hold no such name */
export function writeQuery(host: string, family: AddressFamily): Buffer {
  const labels = host.replace(/\.$/, '').split('.');
  if (host.length > MAX_NAME || labels.some(({ length }) => length === 0 || length > MAX_LABEL)) {
    throw dnsError('EBADNAME');
  }
  const name = labels.map((label) => String.fromCharCode(label.length) + label).join('');
  const query = Buffer.alloc(HEADER_BYTES + name.length + 5);
  query.writeUInt16BE(RECURSION_DESIRED, 2);
  query.writeUInt16BE(1, 4);
  query.write(name, HEADER_BYTES, 'latin1');
  query.writeUInt16BE(TYPES[family], query.length - 4);
  query.writeUInt16BE(CLASS_INTERNET, query.length - 2);
  return query;
}

/** Tells whether a message replies to a query: an error may come without the question. */
export function isReplyTo(query: Buffer, reply: Buffer): boolean {
  if (reply.length < HEADER_BYTES || (reply.readUInt16BE(2) & RESPONSE) === 0) return false;
  if ((reply.readUInt16BE(2) & OPCODE) !== 0) return false;
  if (reply.readUInt16BE(4) === 0) return (reply.readUInt16BE(2) & RCODE) !== 0;
  const question = (message: Buffer) =>
    message.toString('latin1', HEADER_BYTES, query.length).toLowerCase();
  return question(reply) === question(query);
}

/** The addresses of a name, and the names that it is an alias of: `a → b`. */
export interface Answered {
  readonly addresses: readonly string[];
  readonly alias?: string;
}

/**
 * Reads the addresses of a reply. Those of a name that is neither the one asked for nor one that its aliases
 * lead to are no answer, as for every resolver of a system.
 *
 * @returns undefined where the reply is truncated
 * @throws Error with a code of `node:dns`, or `ENORECURSION`
 */
export function readReply(query: Buffer, reply: Buffer): Answered | undefined {
  try {
    const flags = reply.readUInt16BE(2);
    if ((flags & TRUNCATED) !== 0) return undefined;
    const rcode = flags & RCODE;
    // It neither has the zone nor asks those who have it: this says nothing of the name.
    const isUnable = (flags & (AUTHORITATIVE | RECURSION_AVAILABLE)) === 0;
    const answers = reply.readUInt16BE(6);
    if (isUnable && (rcode === REFUSED || (rcode === 0 && answers === 0))) {
      throw dnsError('ENORECURSION');
    }
    if (rcode !== 0 && rcode !== NO_SUCH_NAME) throw dnsError(BY_RCODE[rcode] ?? `ERCODE${rcode}`);
    const { name, end } = readName(query, HEADER_BYTES);
    const records = answers > 0 ? readRecords(reply, query.length, answers) : [];
    const found = chooseAddresses(records, name, query.readUInt16BE(end));
    if (rcode === 0 && found.length > 0) {
      const alias = showAliases(records, name);
      return { addresses: found, ...(alias !== name && { alias }) };
    }
    const isEnded = rcode !== 0 || (flags & RECURSION_AVAILABLE) !== 0 || hasZone(reply, query);
    if (!isEnded && records.some(({ owner, type }) => type === CNAME && owner === name)) {
      const alias = showAliases(records, name);
      throw dnsError('ENORECURSION', `${alias}, which the server does not look up`);
    }
    throw denial(rcode, records, name, found);
  } catch (error) {
    throw error instanceof RangeError ? dnsError('EBADRESP', BREAKS_OFF) : error;
  }
}

/** Tells whether the server has the zone of the name at the end of the aliases. */
function hasZone(reply: Buffer, query: Buffer): boolean {
  const count = reply.readUInt16BE(6) + reply.readUInt16BE(8);
  return readRecords(reply, query.length, count).some(({ type }) => type === SOA);
}

const BREAKS_OFF = 'the reply holds less than it says';

interface DnsRecord {
  readonly owner: string;
  readonly type: number;
  /** An address, or the name that an alias leads to. */
  readonly value: string;
}

/** The host and the names that its aliases lead to. */
function namesOf(records: readonly DnsRecord[], host: string): Set<string> {
  const names = new Set([host]);
  // In any order: each pass follows at least one alias.
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const { owner, type, value } of records) {
      if (type === CNAME && names.has(owner)) names.add(value);
    }
  }
  return names;
}

function showAliases(records: readonly DnsRecord[], host: string): string {
  return [...namesOf(records, host)].join(' → ');
}

function chooseAddresses(records: readonly DnsRecord[], host: string, type: number): string[] {
  const names = namesOf(records, host);
  const found = records.filter((record) => record.type === type);
  const addresses = found.filter(({ owner }) => names.has(owner)).map(({ value }) => value);
  if (addresses.length > 0) return addresses;
  const [foreign] = found;
  if (foreign === undefined) return addresses;
  throw dnsError('EBADRESP', `its addresses are of another name: ${foreign.owner}`);
}

/** The error of a reply that gives no address: for an alias, the place where it ends. */
function denial(
  rcode: number,
  records: readonly DnsRecord[],
  host: string,
  found: readonly string[],
): Error {
  if (found.length > 0) {
    const addresses = found.join(', ');
    return dnsError('ENOTFOUND', `the reply denies the name and holds ${addresses} all the same`);
  }
  const aliases = records.filter(({ type }) => type === CNAME);
  if (!aliases.some(({ owner }) => owner === host)) {
    return rcode === NO_SUCH_NAME ? dnsError('ENOTFOUND') : NO_DATA;
  }
  const names = [...namesOf(records, host)];
  const isCircle = names.every((name) => aliases.some(({ owner }) => owner === name));
  const end = isCircle
    ? 'in a circle'
    : rcode === NO_SUCH_NAME
      ? 'which does not exist'
      : 'which has no address';
  return dnsError('EALIAS', `${showAliases(records, host)}, ${end}`);
}

function readRecords(reply: Buffer, start: number, count: number): DnsRecord[] {
  const records: DnsRecord[] = [];
  let at = start;
  for (let i = 0; i < count; i += 1) {
    const owner = readName(reply, at);
    const type = reply.readUInt16BE(owner.end);
    const isOther = reply.readUInt16BE(owner.end + 2) !== CLASS_INTERNET;
    const size = reply.readUInt16BE(owner.end + 8);
    const data = owner.end + 10;
    if (data + size > reply.length) throw dnsError('EBADRESP', BREAKS_OFF);
    at = data + size;
    if (isOther || !KNOWN_TYPES.includes(type)) continue;
    const value =
      type === CNAME || type === SOA
        ? readName(reply, data).name
        : readAddress(reply.subarray(data, at), type);
    records.push({ owner: owner.name, type, value });
  }
  return records;
}

function readAddress(bytes: Buffer, type: number): string {
  if (bytes.length !== (type === TYPES[4] ? 4 : 16)) {
    throw dnsError('EBADRESP', `an address of ${bytes.length} bytes`);
  }
  const value = BigInt(`0x${bytes.toString('hex')}`);
  return formatAddress({ family: bytes.length === 4 ? 4 : 6, value });
}

/** A pointer must lead back, so that following them comes to an end. */
function readName(reply: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let [at, end, limit] = [start, 0, start];
  for (;;) {
    const length = reply.readUInt8(at);
    if (length === 0) break;
    if (length > MAX_LABEL) {
      end ||= at + 2;
      at = reply.readUInt16BE(at) & 0x3fff;
      if (length < 0xc0 || at >= limit) {
        throw dnsError('EBADRESP', 'a name in the reply refers to no name before it');
      }
      limit = at;
      continue;
    }
    labels.push(reply.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: end || at + 1 };
}

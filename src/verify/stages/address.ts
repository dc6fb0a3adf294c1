import type { Code } from '../../codes/codes.js';
import type { Link } from '../../link/link.js';
import { type Address, parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, parseCidr } from '../../net/cidr.js';
import { isPrivateAddress } from '../../net/private-networks.js';
import { failed, passed, warned } from '../findings.js';
import type { Stage } from '../stage.js';
import type { Finding } from '../verification.js';

/** Judges every resolved address; only those that pass are dialled. */
export const address: Stage = {
  name: 'address',
  run: async ({ link, isPlain, seen }) => {
    const start = performance.now();
    const findings = seen.addresses.map((text) => judge(link, isPlain, text));
    seen.allowed = findings
      .filter(({ status }) => status !== 'failed')
      .map(({ address: text }) => text ?? '');
    const missing = missingAddresses(link, seen.addresses);
    if (missing.length > 0) {
      const evidence = { missing: missing.join(', '), resolved: seen.addresses.join(', ') };
      findings.push(warned('address', 'address.missing', { evidence }));
    }
    if (isPlain) {
      seen.notes.add('plain http: JWT and token travel in clear inside the private network');
    }
    const elapsedMs = Math.round((performance.now() - start) * 10) / 10;
    return {
      findings: findings.map((finding) => ({ ...finding, elapsedMs })),
      goOn: seen.allowed.length > 0,
    };
  },
};

function judge(link: Link, isPlain: boolean, text: string): Finding {
  const declared = [...link.expectedAddresses, ...link.expectedNetworks];
  const facts = {
    address: text,
    evidence: { via: link.via, expected: declared.join(', ') || undefined },
  };
  const parsed = tryParse(text);
  const code = parsed === undefined ? 'address.unexpected' : problemOf(link, isPlain, parsed);
  if (code === 'address.not-judged') return warned('address', code, facts);
  return code === undefined ? passed('address', facts) : failed('address', code, facts);
}

function problemOf(link: Link, isPlain: boolean, found: Address): Code | undefined {
  const addresses = link.expectedAddresses.map(parseCidr);
  const networks = link.expectedNetworks.map(parseCidr);
  const isExpected =
    (addresses.length === 0 || anyContains(addresses, found)) &&
    (networks.length === 0 || anyContains(networks, found));
  if (link.via === 'private-network' && !isPrivateAddress(found)) return 'address.public';
  if (link.via !== 'internet' && !isExpected) return 'address.unexpected';
  const isDeclared = anyContains([...addresses, ...networks], found);
  if (isPlain && !(isPrivateAddress(found) && isDeclared)) return 'address.plain-http';
  if (link.via === 'fixed-ip' && addresses.length === 0) return 'address.not-judged';
  return undefined;
}

/** Only single addresses can be missed; a declared network need not be full. */
function missingAddresses({ via, expectedAddresses }: Link, resolved: readonly string[]): string[] {
  if (via !== 'private-network') return [];
  const found = resolved.flatMap((text) => tryParse(text) ?? []);
  return expectedAddresses
    .map(parseCidr)
    .filter((cidr) => cidr.first === cidr.last)
    .filter((cidr) => !found.some((one) => cidrContains(cidr, one)))
    .map(({ text }) => text.split('/')[0] ?? text);
}

function anyContains(cidrs: readonly Cidr[], found: Address): boolean {
  return cidrs.some((cidr) => cidrContains(cidr, found));
}

function tryParse(text: string): Address | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

import { isIP } from 'node:net';
import { type Reason, reasonOf } from '../../codes/codes.js';
import { type Link, recordLines } from '../../link/link.js';
import { type Address, formatAddress, tryAddress, unmapped } from '../../net/address.js';
import { anyContains, isPrivateAddress, parseCidr } from '../../net/cidr.js';
import { specialRange } from '../../net/special-ranges.js';
import { failed, isGood, passed, roundMs, warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { expectedSingles } from '../transport/addresses.js';
import type { Stage } from '../transport/context.js';

/** Judges every resolved address; only those that pass are dialled. */
export const address: Stage = async ({ link, host, given, isPlain, seen, proxy, run }) => {
  const start = performance.now();
  const isGiven = isIP(host) !== 0 || given.length > 0;
  const findings = besideRight(
    seen.addresses.map((text) =>
      proxy !== undefined && isIP(text) === 0
        ? judgeProxied(link, isPlain, text)
        : judge(link, isPlain, text, isGiven),
    ),
  );
  seen.allowed = findings
    .filter(({ status }) => status !== 'failed')
    .map(({ address: text }) => text ?? '');
  const missing =
    proxy === undefined ? missingAddresses(link, seen.allowed, run.options.family) : [];
  if (missing.length > 0) {
    const evidence = {
      missing: missing.join(', '),
      resolved: seen.addresses.join(', '),
      ...(link.recordsElsewhere !== undefined && {
        enter: recordLines(host, missing).join('; '),
      }),
    };
    findings.push(warned('address', 'path.partial: missing in DNS', { evidence }));
  }
  if (isPlain) {
    seen.notes.add('plain http: JWT and token travel unencrypted inside the private network');
  }
  const elapsedMs = roundMs(performance.now() - start);
  return findings.map((finding) => ({ ...finding, elapsedMs }));
};

/** Adds to a wrong address the right ones beside it, and the family where its records alone are wrong. */
function besideRight(findings: readonly Finding[]): Finding[] {
  const right = findings.filter(isGood).map(({ address = '' }) => address);
  const familyOf = (text = '') => isIP(unmapped(text));
  return findings.map((one) => {
    if (isGood(one) || right.length === 0) return one;
    const isAlone = right.every((text) => familyOf(text) !== familyOf(one.address));
    const family = isAlone && { family: `IPv${familyOf(one.address)}` };
    const evidence = { ...one.evidence, ...family, right: right.join(', ') };
    return reasonOf(one) === 'address.unexpected: public'
      ? failed('address', 'address.unexpected: others right', { ...one, evidence })
      : { ...one, evidence };
  });
}

/** The proxy resolves the name, so the address is not seen; nothing is sent unencrypted on trust. */
function judgeProxied({ via }: Link, isPlain: boolean, host: string): Finding {
  const facts = { address: host, evidence: { via } };
  return isPlain
    ? failed('address', 'address.plain-http', facts)
    : warned('address', 'address.not-judged: proxy', facts);
}

function judge(link: Link, isPlain: boolean, text: string, isGiven: boolean): Finding {
  const declared = [...link.expectedAddresses, ...link.expectedNetworks];
  const found = tryAddress(unmapped(text));
  const range = found && specialRange(found);
  const facts = {
    address: text,
    evidence: {
      via: link.via,
      expected: declared.join(', ') || undefined,
      range,
      compared: declared.length === 0 ? 'with nothing, for nothing is declared' : undefined,
    },
  };
  const code = problemOfAddress(link, isPlain, text, isGiven);
  if (code === 'address.not-judged') return warned('address', code, facts);
  return code === undefined ? passed('address', facts) : failed('address', code, facts);
}

/**
 * @param isGiven by the user, so that no DNS answered it
 * @returns why an address must not be dialled, or what is to be said of it; undefined where it is right
 */
export function problemOfAddress(
  link: Link,
  isPlain: boolean,
  text: string,
  isGiven = false,
): Reason | undefined {
  const found = tryAddress(unmapped(text));
  if (found === undefined) return 'address.unexpected';
  const addresses = link.expectedAddresses.map(parseCidr);
  const networks = link.expectedNetworks.map(parseCidr);
  const isExpected =
    (addresses.length === 0 || anyContains(addresses, found)) &&
    (networks.length === 0 || anyContains(networks, found));
  const isDeclared = anyContains([...addresses, ...networks], found);
  if (!isGiven && !isDeclared && isOwn(link, found)) return 'address.unexpected: this machine';
  const range = specialRange(found);
  // Whoever declares loopback, or the range of a tunnel, means it.
  const isInside = isPrivateAddress(found) || (isDeclared && range !== undefined);
  if (link.via === 'service-endpoint' && !isInside) {
    if (isOwn(link, found)) return 'address.unexpected';
    return range === undefined ? 'address.unexpected: public' : 'address.unexpected: special';
  }
  if (link.via === 'fixed-ip-egress' && !isExpected) {
    return range === undefined ? 'address.unexpected: not listed' : 'address.unexpected: special';
  }
  if (link.via !== 'internet' && !isExpected) return 'address.unexpected';
  const staysInside = isDeclared && (isPrivateAddress(found) || anyContains(LOOPBACK, found));
  if (isPlain && !staysInside) return 'address.plain-http';
  if (link.via === 'fixed-ip-egress' && addresses.length === 0) return 'address.not-judged';
  return undefined;
}

/** Addresses that a DNS filter answers for a name that it blocks; a test may well call loopback. */
const NOWHERE = ['0.0.0.0/8', '::/128'].map(parseCidr);
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseCidr);

function isOwn({ via }: Link, found: Address): boolean {
  return anyContains(NOWHERE, found) || (via !== 'internet' && anyContains(LOOPBACK, found));
}

/**
 * Finds expected single addresses that are missing; a declared network need not be full. If no
 * address is right, the name leads elsewhere and nothing is known of the zones.
 */
function missingAddresses(link: Link, right: readonly string[], family?: 4 | 6): string[] {
  const found = right.flatMap((text) => tryAddress(unmapped(text)) ?? []).map(formatAddress);
  if (link.via !== 'service-endpoint' || found.length === 0) return [];
  return expectedSingles(link, family).filter((address) => !found.includes(address));
}

import { factsOf, reasonOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { withReason } from '../../codes/stated.js';
import { type RunOptions, settingName } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import { judge } from '../stages/preflight.js';
import {
  areNewNetworks,
  findOwnAddresses,
  isInside,
  isOwnAddress,
} from '../transport/addresses.js';
import type { Signer } from '../transport/signer.js';
import { prepareRun } from './prepare-run.js';

/**
 * Proves that a check can run on this machine before there is anything to check: credentials, key and
 * location. No packet is sent.
 *
 * @param needs with the networks that may call the service; none where any may
 * @returns a line on what was seen, and what it warns of
 * @throws ConnectivityError what the check would fail with, or `host.outside-network`
 */
export async function proveReady(
  { apiHost, networks }: { readonly apiHost: string; readonly networks: readonly string[] },
  options: RunOptions,
): Promise<{ readonly seen: string; readonly warnings: readonly ConnectivityError[] }> {
  const warnings = await proveKey(apiHost, options);
  const location = networks.length === 0 ? undefined : await proveLocation(networks, options);
  const where = location === undefined ? '' : `; ${location.text}`;
  return { seen: `credentials and key can be used${where}`, warnings };
}

/**
 * Proves that credentials are given and that the key signs, by signing a JWT that is thrown away.
 *
 * @returns what the check would warn of, and a key ID that is a fingerprint of another key
 * @throws ConnectivityError what the check would fail with
 */
export async function proveKey(
  apiHost: string,
  options: RunOptions,
): Promise<readonly ConnectivityError[]> {
  const run = await prepareRun(options);
  const link = { apiHost, via: 'fixed-ip-egress' } as const;
  const finding = await judge({ link, host: '', withAuth: true, run });
  const problem = problemOf(finding);
  if (finding.status === 'failed' && problem !== undefined) throw problem;
  await run.signer.sign(apiHost, {});
  const warning = finding.status === 'warned' ? problem : undefined;
  return [await otherKey(options, run.signer), warning].flatMap((one) => one ?? []);
}

/** Compares the key with the key ID, where that is a fingerprint. */
async function otherKey(options: RunOptions, signer: Signer) {
  const { ownFingerprint } = await signer.inspect();
  if (ownFingerprint === undefined) return undefined;
  const names = `\`${settingName(options, 'keyId')}\` and the private key (${signer.source})`;
  const problem = `${names} may be of two key pairs, got: ${options.credentials?.keyId}, where the key has the SHA-256 fingerprint ${ownFingerprint}`;
  return problemOf(withReason({ evidence: { problem } }, 'token.key-pair: another fingerprint'));
}

function problemOf(finding: Pick<Finding, 'code' | 'evidence'>): ConnectivityError | undefined {
  const { code, evidence } = finding;
  const reason = reasonOf(finding);
  if (reason === undefined) return undefined;
  const { missing, problem, error, chmod } = evidence;
  const { cause, remedy } = factsOf(reason);
  const seen = missing === undefined ? (problem ?? error ?? cause) : `${missing} is missing`;
  return new ConnectivityError(
    reason,
    `${code}: ${String(seen).replace(/\.$/, '')}. ${remedy}${chmod ? ` The command: ${chmod}` : ''}`,
  );
}

interface Location {
  readonly isKnown: boolean;
  readonly text: string;
}

/** @throws ConnectivityError `host.outside-network` */
export async function proveLocation(
  networks: readonly string[],
  options: RunOptions,
): Promise<Location> {
  if (options.proxy !== undefined) {
    const text = 'a proxy is in front of the network, so the location is not checked';
    return { isKnown: false, text };
  }
  const own = await findOwnAddresses(options);
  const inside = own.find((address) => isInside(address, networks));
  if (inside !== undefined) return { isKnown: true, text: `${inside} may call the service` };
  // A file that names none yet says neither inside nor outside.
  const isOpen = own.length === 0 || areNewNetworks(own, networks);
  if (isOpen && options.ownAddresses !== undefined) {
    return { isKnown: false, text: 'the location is not known yet' };
  }
  throw new ConnectivityError(
    'host.outside-network: before a deploy',
    `host.outside-network: this machine has ${own.filter(isOwnAddress).join(', ') || 'no address but loopback'}, and only ${networks.join(', ')} may call the service. ${factsOf('host.outside-network: before a deploy').remedy}`,
  );
}

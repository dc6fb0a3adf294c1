import { factsOf, isCode } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { RunOptions } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import { judge } from '../stages/preflight.js';
import {
  areNewNetworks,
  findOwnAddresses,
  isInside,
  isOwnAddress,
} from '../transport/addresses.js';
import { prepareRun } from './prepare-run.js';

/**
 * Proves that a check can run on this machine before there is anything to check: credentials, key and
 * location. No packet is sent.
 *
 * @param needs with the networks that may call the service; none where any may
 * @returns a line on what was seen, and what it warns of
 * @throws ConnectivityError what the check would fail with, or `preflight.outside`
 */
export async function proveReady(
  { apiHost, networks }: { readonly apiHost: string; readonly networks: readonly string[] },
  options: RunOptions,
): Promise<{ readonly seen: string; readonly warning?: ConnectivityError | undefined }> {
  const warning = await proveKey(apiHost, options);
  const location = networks.length === 0 ? undefined : await proveLocation(networks, options);
  const where = location === undefined ? '' : `; ${location.text}`;
  return { seen: `credentials and key can be used${where}`, warning };
}

/**
 * Proves that credentials are given and that the key signs, by signing a JWT that is thrown away.
 *
 * @returns what the check would warn of
 * @throws ConnectivityError what the check would fail with
 */
export async function proveKey(
  apiHost: string,
  options: RunOptions,
): Promise<ConnectivityError | undefined> {
  const run = await prepareRun(options);
  const link = { apiHost, via: 'fixed-ip-egress' } as const;
  const finding = await judge({ link, host: '', withAuth: true, run });
  const problem = problemOf(finding);
  if (finding.status === 'failed' && problem !== undefined) throw problem;
  await run.signer.sign(apiHost, {});
  return finding.status === 'warned' ? problem : undefined;
}

function problemOf({ code = '', evidence }: Finding): ConnectivityError | undefined {
  if (!isCode(code)) return undefined;
  const { missing, problem, error, chmod } = evidence;
  const { cause, remedy } = factsOf(code);
  const seen = missing === undefined ? (problem ?? error ?? cause) : `${missing} is missing`;
  return new ConnectivityError(
    code,
    `${code}: ${String(seen).replace(/\.$/, '')}. ${remedy}${chmod ? ` The command: ${chmod}` : ''}`,
  );
}

interface Location {
  readonly isKnown: boolean;
  readonly text: string;
}

/** @throws ConnectivityError `preflight.outside` */
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
    'preflight.outside',
    `preflight.outside: this machine has ${own.filter(isOwnAddress).join(', ') || 'no address but loopback'}, and only ${networks.join(', ')} may call the service. ${factsOf('preflight.outside').remedy}`,
  );
}

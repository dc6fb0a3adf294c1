import { isIP } from 'node:net';
import type { ProbeResult } from '../model/verification.js';
import { problemOfAddress } from '../stages/address.js';
import { resolveHost } from '../stages/dns.js';
import {
  expectedSingles,
  findOwnAddresses,
  isInside,
  isOwnAddress,
} from '../transport/addresses.js';
import type { Attempt } from '../transport/context.js';
import { environmentProxy } from '../transport/proxy/environment-proxy.js';
import type { ProxyTarget } from '../transport/proxy/proxy.js';
import { failedOnTheWay, failedWith, type Probe, probed, tryRoute } from './probe.js';

const MOST = 8;

/** Dials the addresses that were expected and not resolved, without asking DNS. */
export const pinnedAddress: Probe = async (context) => {
  const { link, run, seen, proxy: used } = context;
  if (used !== undefined || !failedOnTheWay(context)) return [];
  const notDialled = expectedSingles(link, run.options.family).filter(
    (address) => !seen.allowed.includes(address),
  );
  return await Promise.all(
    notDialled
      .slice(0, MOST)
      .map((address) => probed('pinned-address', address, () => tryRoute(context, address))),
  );
};

const OUTSIDE =
  /^(dns\.not-found(: empty alias)?|address\.unexpected: public|tcp\.(timeout|unreachable))$/;

/**
 * Tells whether this machine has an address in the networks of a private link. No packet is sent.
 */
export const ownAddress: Probe = async (context) => {
  const { link, run, proxy: used } = context;
  const networks = link.via === 'service-endpoint' ? link.expectedNetworks : [];
  if (networks.length === 0 || used !== undefined || !failedWith(context, OUTSIDE)) return [];
  const isGiven = run.options.ownAddresses !== undefined;
  const all = await findOwnAddresses(run.options);
  const own = all.filter(isOwnAddress);
  // A file that names none yet says neither inside nor outside.
  if (isGiven && own.length === 0) return [];
  const inside = own.filter((address) => isInside(address, networks));
  const matching = networks.filter((network) => inside.some((one) => isInside(one, [network])));
  const evidence = {
    inside: inside.join(', ') || undefined,
    own: own.join(', ') || 'none but loopback',
    networks: (inside.length > 0 ? matching : networks).join(', '),
  };
  const changed = isGiven ? 'of this machine, as given' : 'of this machine';
  return [await probed('own-address', changed, async () => ({ ok: inside.length > 0, evidence }))];
};

/** The other of the two ways: directly where a proxy was used, else through the environment's proxy. */
export const proxy: Probe = async (context) => {
  if (!failedOnTheWay(context)) return [];
  if (context.proxy !== undefined) return [await direct(context)];
  const other = environmentProxy(context);
  return other === undefined ? [] : [await throughProxy(context, other)];
};

async function throughProxy(context: Attempt, other: ProxyTarget): Promise<ProbeResult> {
  return await probed('proxy', other.shown, async () => {
    if (!context.isPlain) return await tryRoute({ ...context, proxy: other }, context.host);
    const evidence = { reason: 'not unencrypted through a proxy' };
    return { ok: false, reason: 'address.plain-http', evidence };
  });
}

async function direct(context: Attempt): Promise<ProbeResult> {
  return await probed('proxy', 'none', async () => {
    const addresses = await findAddresses(context);
    const { link, isPlain } = context;
    const address = addresses.find((text) => {
      const problem = problemOfAddress(link, isPlain, text);
      return problem === undefined || problem === 'address.not-judged';
    });
    if (address === undefined) {
      const evidence = { addresses: addresses.join(', ') || undefined };
      return { ok: false, reason: 'address.unexpected', evidence };
    }
    const { evidence, ...tried } = await tryRoute({ ...context, proxy: undefined }, address);
    return { ...tried, evidence: { address, ...evidence } };
  });
}

async function findAddresses(context: Attempt): Promise<readonly string[]> {
  const { host, given } = context;
  if (given.length > 0) return given;
  if (isIP(host) !== 0) return [host];
  return await resolveHost(context, 4).then(
    ({ addresses }) => addresses,
    () => [],
  );
}

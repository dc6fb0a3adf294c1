import { expectedSingles, isInside, ownAddresses, withoutMask } from '../transport/addresses.js';
import { failedWith, NETWORK, type Probe, type ProbeContext, probed, tryRoute } from './probe.js';

const MOST = 8;

/** Dials the addresses that were expected and not resolved, without asking DNS. */
export const pinnedAddress: Probe = {
  applies: (context) =>
    context.proxy === undefined &&
    failedWith(context, ...NETWORK) &&
    notDialled(context).length > 0,
  run: (context) =>
    Promise.all(
      notDialled(context)
        .slice(0, MOST)
        .map((address) => probed('pinned-address', address, () => tryRoute(context, address))),
    ),
};

function notDialled({ link, seen, run }: ProbeContext): string[] {
  return expectedSingles(link, run.options)
    .map(({ text }) => withoutMask(text))
    .filter((address) => !seen.allowed.includes(address));
}

const OUTSIDE = ['dns.not-found', 'address.public', 'tcp.timeout', 'tcp.unreachable'];

/** Whether this machine has an address in the networks of a private link. No packet is sent. */
export const ownAddress: Probe = {
  applies: (context) =>
    context.link.via === 'private-network' &&
    context.proxy === undefined &&
    context.link.expectedNetworks.length > 0 &&
    failedWith(context, ...OUTSIDE),
  run: async (context) => {
    const { options } = context.run;
    const isGiven = options.ownAddresses !== undefined;
    const own = await ownAddresses(options);
    // A file that names none yet says neither inside nor outside.
    if (isGiven && own.length === 0) return [];
    const changed = isGiven ? 'of this machine, as given' : 'of this machine';
    return [await probed('own-address', changed, async () => judge(context, own))];
  },
};

function judge({ link }: ProbeContext, own: readonly string[]) {
  const inside = own.filter((address) => isInside(address, link.expectedNetworks));
  const evidence = {
    inside: inside.join(', ') || undefined,
    own: own.join(', ') || 'none but loopback',
    networks: link.expectedNetworks.join(', '),
  };
  return { ok: inside.length > 0, evidence };
}

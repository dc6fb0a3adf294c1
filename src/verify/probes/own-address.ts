import { networkInterfaces } from 'node:os';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import { readOwnAddresses } from '../transport/own-addresses.js';
import { failedWith, type Probe, type ProbeContext, probed } from './probe.js';

const OUTSIDE = ['dns.not-found', 'address.public', 'tcp.timeout', 'tcp.unreachable'];

/** Whether this machine has an address in the networks of a private link. No packet is sent. */
export const ownAddress: Probe = {
  applies: (context) =>
    context.link.via === 'private-network' &&
    context.proxy === undefined &&
    context.link.expectedNetworks.length > 0 &&
    failedWith(context, ...OUTSIDE),
  run: async (context) => {
    const { ownAddresses } = context.run.options;
    if (ownAddresses === undefined) {
      return [
        await probed('own-address', 'of this machine', async () =>
          judge(context, interfaceAddresses()),
        ),
      ];
    }
    const given = await readOwnAddresses(ownAddresses);
    // A file that names none yet says neither inside nor outside.
    if (given.length === 0) return [];
    return [
      await probed('own-address', 'of this machine, as given', async () => judge(context, given)),
    ];
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

/** The addresses of this machine's interfaces, without loopback. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}

/** Whether an address is in one of the networks; a text that is none is in none. */
export function isInside(text: string, networks: readonly string[]): boolean {
  const address = tryParse(text);
  return (
    address !== undefined && networks.some((network) => cidrContains(parseCidr(network), address))
  );
}

function tryParse(text: string) {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

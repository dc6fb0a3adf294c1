import { networkInterfaces } from 'node:os';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import { readToldAddresses } from '../told-addresses.js';
import { failedWith, type Probe, type ProbeContext } from './probe.js';
import { probed } from './probe-result.js';

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
        await probed('own-address', 'of this machine', async () => judge(context, interfaces())),
      ];
    }
    const told = await readToldAddresses(ownAddresses);
    // A file that names none yet says neither inside nor outside.
    if (told.length === 0) return [];
    return [
      await probed('own-address', 'of this machine, as told', async () => judge(context, told)),
    ];
  },
};

function judge({ link }: ProbeContext, own: readonly string[]) {
  const networks = link.expectedNetworks.map(parseCidr);
  const inside = own.filter((text) => {
    const address = tryParse(text);
    return address && networks.some((network) => cidrContains(network, address));
  });
  const evidence = {
    inside: inside.join(', ') || undefined,
    own: own.join(', ') || 'none but loopback',
    networks: link.expectedNetworks.join(', '),
  };
  return { ok: inside.length > 0, evidence };
}

function interfaces(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}

function tryParse(text: string) {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

import { networkInterfaces } from 'node:os';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
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
  run: async (context) => [
    await probed('own-address', 'of this machine', async () => judge(context)),
  ],
};

function judge({ link }: ProbeContext) {
  const networks = link.expectedNetworks.map(parseCidr);
  const own = ownAddresses();
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

function ownAddresses(): string[] {
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

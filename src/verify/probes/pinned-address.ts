import { parseCidr } from '../../net/cidr.js';
import { failedWith, type Probe, type ProbeContext, probed } from './probe.js';
import { tryRoute } from './try-route.js';

const MOST = 8;

/** Dials the addresses that were expected and not resolved, without asking DNS. */
export const pinnedAddress: Probe = {
  applies: (context) =>
    context.proxy === undefined &&
    failedWith(context, 'dns.', 'address.', 'tcp.', 'tls.', 'http.') &&
    notDialled(context).length > 0,
  run: (context) =>
    Promise.all(
      notDialled(context)
        .slice(0, MOST)
        .map((address) => probed('pinned-address', address, () => tryRoute(context, address))),
    ),
};

function notDialled({ link, seen, run }: ProbeContext): string[] {
  const { family: wanted } = run.options;
  return link.expectedAddresses
    .map(parseCidr)
    .filter(({ first, last }) => first === last)
    .filter(({ family }) => wanted === undefined || family === wanted)
    .map(({ text }) => text.split('/')[0] ?? text)
    .filter((address) => !seen.allowed.includes(address));
}

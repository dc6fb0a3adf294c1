import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessModel } from '../../src/access/access-model.js';
import { formatAddress } from '../../src/net/address.js';
import { hostCidr } from '../../src/net/cidr.js';
import { nftables } from '../../src/render/target-table.js';
import { runs } from '../support/samples.js';
import type { Probe } from './connect-all.js';
import { anyModel, cidrRule, MIXED, modelOf } from './models.js';
import { Namespace, namespaceProblem, OURS } from './namespace.js';
import { boundaryPackets, opens, type Packet } from './packets.js';

const TABLE = 'secure-connectivity.api-access-test.agents';
const NFT = namespaceProblem(['nft']);
const why = (problem: string | undefined) => (problem ? ` (skipped: ${problem})` : '');

/** The rules that an operator adds once: new connections of ours go through the chains. */
const HOOKS = `
add chain inet ${TABLE} out { type filter hook output priority 0; policy accept; }
add chain inet ${TABLE} in { type filter hook input priority 0; policy accept; }
add rule inet ${TABLE} out ip saddr ${OURS.caller} ct state new jump egress
add rule inet ${TABLE} out ip6 saddr ${OURS.caller6} ct state new jump egress
add rule inet ${TABLE} in ip daddr ${OURS.backend} ct state new jump ingress
`;

describe.skipIf(NFT)(`nftables in a namespace${why(NFT)}`, () => {
  test('nft accepts whatever is rendered', () => {
    const namespace = Namespace.make();
    fc.assert(
      fc.property(anyModel({ subjects: ['agents'], icmp: true }), (model) => {
        const text = nftables.render(model);
        namespace.run('nft', ['-c', '-f', '-'], text);
      }),
      { numRuns: runs(10) },
    );
  });

  test('packets pass where the model opens, and nowhere else', async () => {
    const namespace = Namespace.make();
    namespace.run('nft', ['-f', '-'], nftables.render(MIXED));
    namespace.run('nft', ['-f', '-'], HOOKS);
    expect(await namespace.probe(probeOf(MIXED))).toEqual(NOTHING_WRONG);
  });

  test('a mask that is one bit too wide lets packets through that are seen', async () => {
    const namespace = Namespace.make();
    const wider = nftables.render(MIXED).replace('198.51.100.49/32', '198.51.100.48/31');
    namespace.run('nft', ['-f', '-'], wider);
    namespace.run('nft', ['-f', '-'], HOOKS);
    const { leaked } = await namespace.probe(probeOf(MIXED));
    expect(leaked).toEqual([{ from: OURS.caller, to: '198.51.100.48', port: 443 }]);
  });

  test('nft has read the addresses that the model holds', () => {
    const namespace = Namespace.make();
    namespace.run('nft', ['-f', '-'], nftables.render(MIXED));
    const listed = JSON.parse(namespace.run('nft', ['-j', 'list', 'sets']));
    expect(elementsOf(listed).sort()).toEqual(
      MIXED.rules.map(({ peer }) => peer.kind === 'cidr' && peer.cidr).sort(),
    );
  });

  test('a smaller list closes what it no longer holds, and leaves the operator’s chains alone', async () => {
    const namespace = Namespace.make();
    namespace.run('nft', ['-f', '-'], nftables.render(MIXED));
    namespace.run('nft', ['-f', '-'], HOOKS);
    namespace.run('nft', ['-f', '-'], nftables.render(SMALLER));
    expect(await namespace.probe(probeOf(SMALLER, MIXED))).toEqual(NOTHING_WRONG);
  });

  test('without the rules every call succeeds, so it is the rules that block', async () => {
    const namespace = Namespace.make();
    const { closed, ...rest } = probeOf(MIXED);
    const { leaked, blocked, sent } = await namespace.probe({ ...rest, closed: [], open: closed });
    expect({ leaked, blocked }).toEqual({ leaked: [], blocked: [] });
    expect(sent).not.toEqual([]);
  });
});

interface ListedSets {
  readonly nftables: readonly { readonly set?: { readonly elem: readonly Element[] } }[];
}
type Element = string | { readonly prefix: { readonly addr: string; readonly len: number } };

function elementsOf({ nftables: objects }: ListedSets): string[] {
  return objects.flatMap(({ set }) =>
    (set?.elem ?? []).map((element) =>
      typeof element === 'string'
        ? hostCidr(element).text
        : `${element.prefix.addr}/${element.prefix.len}`,
    ),
  );
}

const NOTHING_WRONG = { leaked: [], blocked: [], sent: [] };

/** One address and the other direction are gone. */
const SMALLER = modelOf(
  ...MIXED.rules.slice(1).filter(({ direction }) => direction === 'egress'),
  cidrRule('203.0.113.65/32', { direction: 'ingress', ports: { first: 8443, last: 8443 } }),
);

/** Calls at and around every boundary of the models, sorted by what the first of them opens. */
function probeOf(model: AccessModel, ...others: readonly AccessModel[]): Probe {
  const all = modelOf(...[model, ...others].flatMap(({ rules }) => rules));
  const packets = boundaryPackets(all).filter(isPeer);
  const tcp = packets.filter(({ protocol }) => protocol === 'tcp');
  const udp = packets.filter(
    ({ protocol, direction }) => protocol === 'udp' && direction === 'egress',
  );
  return {
    ports: [...new Set(tcp.map(({ port }) => port))],
    closed: tcp.filter((packet) => !opens(model, packet)).map(callOf),
    open: tcp.filter((packet) => opens(model, packet)).map(callOf),
    datagrams: udp.filter(({ port }) => port === 443).map(callOf),
  };
}

/** Of the boundaries, those inside the namespace, and IPv6 where a backend of ours has it. */
function isPeer({ peer, direction }: Packet): boolean {
  const text = formatAddress(peer);
  return (
    /^(198\.51\.100|203\.0\.113)\./.test(text) || (peer.family === 6 && direction === 'egress')
  );
}

function callOf({ direction, peer, port }: Packet) {
  const other = formatAddress(peer);
  const caller = peer.family === 4 ? OURS.caller : OURS.caller6;
  return direction === 'egress'
    ? { from: caller, to: other, port }
    : { from: other, to: OURS.backend, port };
}

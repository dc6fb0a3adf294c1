import { parseNetwork } from '../../net/cidr.js';
import { mergeCidrs } from '../../net/cidr-set.js';
import { networkPeer } from '../../reach/packet-rule.js';
import { combineFew, everythingOf } from '../../reach/sets/ranges.js';
import { EVERYTHING, subtract } from '../../reach/sets/services.js';

/** Returns the texts that others do not have, each once. */
export function without(names: readonly string[], others: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !others.includes(name)).sort();
}

/** Finds the networks that hold an address which none of the others does; what is no network is compared as text. */
export function networksBeside(texts: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  const peers = others.map(networkPeer).flatMap((one) => (one.kind === 'addresses' ? one : []));
  const held = { 4: everythingOf(peers, 4), 6: everythingOf(peers, 6) };
  return texts.filter((text) => {
    const peer = networkPeer(text);
    if (peer.kind !== 'addresses') return !known.has(text);
    const range = { ...peer, services: EVERYTHING };
    return combineFew([range], held[peer.family], subtract).length > 0;
  });
}

/** Writes networks in as few as hold the same addresses; what is no network stays as it is. */
export function mergeNetworks(texts: readonly string[]): string[] {
  const isNetwork = (text: string) => networkPeer(text).kind === 'addresses';
  const merged = mergeCidrs(texts.filter(isNetwork).map(parseNetwork));
  return [...texts.filter((text) => !isNetwork(text)), ...merged.map(({ text }) => text)];
}

import type { AccessModel } from '../../../src/access/access-model.js';
import { isWithin, type Packet } from '../packets.js';

/**
 * Judges packets as a firewall does under a rendered text, written from the documentation of the
 * format and without our parsers. `model` is for what is in the firewall's own configuration.
 */
export type Evaluator = (text: string, model: AccessModel) => (packet: Packet) => boolean;

/** Tells whether a network, or an address without a mask, holds the packet's peer. */
export function holds(network: string, { peer }: Packet): boolean {
  return isWithin(network, peer);
}

export function isPortIn(first: number, last: number, { port }: Packet): boolean {
  return first <= port && port <= last;
}

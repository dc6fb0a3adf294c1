import { opens } from '../packets.js';
import { type Evaluator, holds } from './evaluator.js';

/**
 * A rule of the firewall for the one subject, direction and service that the list was made for, with
 * the list as its peer.
 */
function asList(addressOf: (line: string) => string): Evaluator {
  return (text, model) => {
    const networks = text.split('\n').map(addressOf).filter(Boolean);
    const [first] = model.rules;
    if (first === undefined) return () => false;
    const everywhere = (['0.0.0.0/0', '::/0'] as const).map((cidr) => ({
      ...first,
      peer: { kind: 'cidr' as const, cidr },
    }));
    return (packet) =>
      opens({ ...model, rules: everywhere }, packet) &&
      networks.some((network) => holds(network, packet));
  };
}

/** The text up to a space is the address; the rest is a comment. */
export const paloAlto = asList((line) => line.split(' ')[0] ?? '');

export const fortigate = asList((line) => line.trim());

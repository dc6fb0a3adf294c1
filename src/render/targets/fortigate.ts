import type { AccessModel } from '../../access/access-model.js';
import { type Cidr, hostCidr, parseCidr } from '../../net/cidr.js';
import { irredundant } from '../cidr-set.js';
import { onlyOpening, type ParsedOpening, type Target } from '../model.js';
import { readable, requireSameLines } from '../sections.js';

/** An external address feed: an address or a network a line, and nothing else, not even comments. */
export const fortigate: Target = {
  name: 'fortigate',
  render: (model: AccessModel) => write(onlyOpening(model, 'fortigate').cidrs),
  parse,
};

function parse(text: string): readonly ParsedOpening[] {
  return readable('fortigate', () => {
    const lines = text.replace(/\n$/, '').split('\n');
    const cidrs = irredundant(
      lines.map((line) => (line.includes('/') ? parseCidr(line) : hostCidr(line))),
    );
    requireSameLines('fortigate', text, write(cidrs));
    return cidrs.map((cidr) => ({ peer: { kind: 'cidr' as const, cidr: cidr.text } }));
  });
}

function write(cidrs: readonly Cidr[]): string {
  return cidrs.map((cidr) => `${shortText(cidr)}\n`).join('');
}

function shortText({ family, prefix, text }: Cidr): string {
  return prefix === (family === 4 ? 32 : 128) ? text.slice(0, text.indexOf('/')) : text;
}

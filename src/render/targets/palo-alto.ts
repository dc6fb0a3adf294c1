import type { AccessModel } from '../../access/access-model.js';
import {
  ALL_PORTS,
  cidrOpenings,
  type Opening,
  onlyOpening,
  serviceText,
  type Target,
  toOpenings,
} from '../model.js';
import { readable, requireSameLines, toModel, unreadable } from '../sections.js';

const LINE = /^(\S+) (egress|ingress) (tcp|udp|icmp|any)(?: (\d+)(?:-(\d+))?)? for (.+)$/;

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto: Target = {
  name: 'palo-alto',
  render,
  parse,
};

function render(model: AccessModel): string {
  const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
  const comment = `${serviceText(service)} for ${service.subject}`;
  return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
}

function parse(text: string): readonly Opening[] {
  return readable('palo-alto', () => {
    const lines = text.replace(/\n$/, '').split('\n');
    const model = toModel('', lines.map(readOpening));
    requireSameLines('palo-alto', text, render(model));
    return toOpenings(cidrOpenings(model, 'palo-alto'));
  });
}

function readOpening(line: string, index: number): Opening {
  const [, cidr, direction, protocol, first, last = first, subject = ''] = LINE.exec(line) ?? [];
  if (cidr === undefined) throw unreadable('palo-alto', index + 1, line);
  return {
    subject,
    direction: direction as Opening['direction'],
    protocol: protocol as Opening['protocol'],
    ports: first === undefined ? ALL_PORTS : { first: Number(first), last: Number(last) },
    peer: { kind: 'cidr', cidr },
  };
}

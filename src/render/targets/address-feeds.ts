import type { AccessModel } from '../../access/access-model.js';
import { type Cidr, hostCidr, parseCidr } from '../../net/cidr.js';
import { irredundant } from '../cidr-set.js';
import {
  ALL_PORTS,
  cidrOpenings,
  type Opening,
  onlyOpening,
  type ParsedOpening,
  serviceText,
  type Target,
  toOpenings,
} from '../model.js';
import { readable, requireSameLines, toModel, unreadable } from '../sections.js';

const LINE = /^(\S+) (egress|ingress) (tcp|udp|icmp|any)(?: (\d+)(?:-(\d+))?)? for (.+)$/;

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto: Target = {
  name: 'palo-alto',
  render: renderPaloAlto,
  parse: parsePaloAlto,
};

function renderPaloAlto(model: AccessModel): string {
  const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
  const comment = `${serviceText(service)} for ${service.subject}`;
  return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
}

function parsePaloAlto(text: string): readonly Opening[] {
  return readable('palo-alto', () => {
    const lines = text.replace(/\n$/, '').split('\n');
    const model = toModel('', lines.map(readOpening));
    requireSameLines('palo-alto', text, renderPaloAlto(model));
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

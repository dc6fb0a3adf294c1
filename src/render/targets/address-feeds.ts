import type { AccessModel } from '../../access/access-model.js';
import { type Cidr, parseNetwork } from '../../net/cidr.js';
import { irredundant } from '../../net/cidr-set.js';
import { type Opening, onlyOpening, serviceText, type Target } from '../model.js';
import {
  readable,
  readBack,
  requireLines,
  requireSameLines,
  toCidrOpening,
  toModel,
  unreadable,
} from '../sections.js';

const LINE = /^(\S+) (egress|ingress) (tcp|udp|icmp|any)(?: (\d+)(?:-(\d+))?)? for (.+)$/;

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto = readBack({ name: 'palo-alto', render: renderPaloAlto }, (text) =>
  toModel('', splitLines(text).map(readOpening)),
);

function renderPaloAlto(model: AccessModel): string {
  const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
  const comment = `${serviceText(service)} for ${service.subject}`;
  return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
}

function readOpening(line: string, index: number): Opening {
  const [, cidr, direction, protocol, first, last, subject = ''] = LINE.exec(line) ?? [];
  if (cidr === undefined) throw unreadable('palo-alto', index + 1, line);
  readNetwork('palo-alto', cidr, line, index);
  return toCidrOpening(subject, cidr, [direction, protocol, first, last]);
}

/** An external address feed: an address or a network a line, and nothing else, not even comments. */
export const fortigate: Target = {
  name: 'fortigate',
  render: (model) => renderFortigate(onlyOpening(model, 'fortigate').cidrs),
  parse: (text) =>
    readable('fortigate', () => {
      requireLines('fortigate', text);
      const cidrs = irredundant(
        splitLines(text).map((line, i) => readNetwork('fortigate', line, line, i)),
      );
      requireSameLines('fortigate', text, renderFortigate(cidrs));
      return cidrs.map((cidr) => ({ peer: { kind: 'cidr' as const, cidr: cidr.text } }));
    }),
};

/** @param line as it stands in the file, which may hold a comment, a name or nothing */
function readNetwork(target: string, cidr: string, line: string, index: number): Cidr {
  try {
    return parseNetwork(cidr);
  } catch {
    throw unreadable(target, index + 1, line);
  }
}

/** A network of one address is written as the address. */
function renderFortigate(cidrs: readonly Cidr[]): string {
  return cidrs
    .map(({ first, last, text }) => `${first === last ? text.slice(0, text.indexOf('/')) : text}\n`)
    .join('');
}

function splitLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

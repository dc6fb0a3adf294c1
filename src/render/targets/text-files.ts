import { type AccessModel, canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { onlyOpening, serviceText, type Target } from '../model.js';

/** The chosen rules in the form of `access.json`, with the digest of all rules. */
export const json: Target = { name: 'json', showsRules: true, render: renderJson };

function renderJson(model: AccessModel): string {
  return `${JSON.stringify({ ...model, rules: canonicalRules(model.rules) }, null, 2)}\n`;
}

const COLUMNS = [
  'via',
  'direction',
  'subject',
  'peer_kind',
  'peer',
  'protocol',
  'first_port',
  'last_port',
  'reason',
  'exception_reason',
  'exception_owner',
  'exception_expires',
] as const;

/** One rule a row, quoted as RFC 4180 says; lines end with a line feed. */
export const csv: Target = { name: 'csv', showsRules: true, render: renderCsv };

function renderCsv({ rules }: AccessModel): string {
  const rows = canonicalRules(rules).map(toRow);
  return [COLUMNS, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function toRow({ via, direction, subject, peer, protocol, ports, reason, exception }: AccessRule) {
  const [kind, name] = [peer.kind, peer[peer.kind as keyof typeof peer]];
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  const service = [protocol, ...[ports.first, ports.last].map((n) => (hasPorts ? String(n) : ''))];
  const special = [exception?.reason ?? '', exception?.owner ?? '', exception?.expires ?? ''];
  return [via, direction, subject, kind, name, ...service, reason, ...special];
}

function quoted(value: string): string {
  const inert = value.replace(FORMULA, "'$&");
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Text that a spreadsheet would calculate; an apostrophe before it makes it text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto: Target = {
  name: 'palo-alto',
  render: (model: AccessModel) => {
    const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
    const comment = `${serviceText(service)} for ${service.subject}`;
    return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
  },
};

/** An external address feed: an address or a network a line, and nothing else, not even comments. */
export const fortigate: Target = {
  name: 'fortigate',
  render: (model: AccessModel) =>
    onlyOpening(model, 'fortigate')
      .cidrs.map(({ first, last, text }) => (first === last ? text.replace(/\/.*/, '') : text))
      .map((line) => `${line}\n`)
      .join(''),
};

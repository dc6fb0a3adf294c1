import { checkAccessModel } from '../../access/access-file.js';
import { ACCESS_SCHEMA, type AccessModel, canonicalRules } from '../../access/access-model.js';
import type { AccessRule } from '../../access/access-rule.js';
import { readBack, unreadable } from '../sections.js';

/** The chosen rules in the form of `access.json`, with the digest of all rules. */
export const json = readBack({ name: 'json', showsRules: true, render: renderJson }, (text) =>
  checkAccessModel(JSON.parse(text)),
);

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
export const csv = readBack({ name: 'csv', showsRules: true, render: renderCsv }, (text) => {
  const [names = [], ...rows] = readRows(text);
  if (names.join() !== COLUMNS.join()) throw unreadable('csv', 1, names.join());
  const rules = rows.map(toRule);
  return checkAccessModel({ schema: ACCESS_SCHEMA, stack: 'csv', digest: '', rules });
});

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

function toRule(row: readonly string[], index: number): unknown {
  if (row.length !== COLUMNS.length) throw unreadable('csv', index + 2, row.join());
  const [via, direction, subject, kind = '', name, protocol, first, last, reason, ...special] = row;
  const [exceptionReason = '', owner, expires] = special;
  return {
    via,
    direction,
    subject,
    peer: { kind, [kind]: name },
    protocol,
    ports: { first: Number(first), last: Number(last) },
    reason,
    ...(special.some((value) => value !== '') && {
      exception: { reason: exceptionReason, owner, expires },
    }),
  };
}

function quoted(value: string): string {
  const inert = value.replace(FORMULA, "'$&");
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Text that a spreadsheet would calculate; an apostrophe before it makes it text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;

function unquoted(value: string): string {
  return value.startsWith("'") && FORMULA.test(value) ? value.slice(1) : value;
}

function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/y;
  while (cells.lastIndex < text.length) {
    const [, inQuotes, plain, end] = cells.exec(text) ?? [];
    if (end === undefined) throw unreadable('csv', rows.length + 1, 'a broken row');
    row.push(unquoted(inQuotes?.replaceAll('""', '"') ?? plain ?? ''));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

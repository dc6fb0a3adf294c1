import type { AccessRule } from '../../../src/access/access-rule.js';
import { opens } from '../packets.js';
import type { Evaluator } from './evaluator.js';

export const json: Evaluator = (text, model) => {
  const { rules } = JSON.parse(text) as { rules: AccessRule[] };
  return (packet) => opens({ ...model, rules }, packet);
};

export const csv: Evaluator = (text, model) => {
  const [columns = [], ...rows] = csvRows(text);
  const rules = rows.map((row) => {
    const cells = new Map(row.map((cell, index) => [columns[index], cell]));
    const cell = (name: string) => cells.get(name) ?? '';
    return {
      direction: cell('direction'),
      subject: cell('subject'),
      peer: { kind: cell('peer_kind'), [cell('peer_kind')]: cell('peer') },
      protocol: cell('protocol'),
      ports: { first: Number(cell('first_port')), last: Number(cell('last_port')) },
    } as unknown as AccessRule;
  });
  return (packet) => opens({ ...model, rules }, packet);
};

/** Reads rows as RFC 4180 says, with quoted cells that hold commas, quotes and lines. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

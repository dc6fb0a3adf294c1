import type { AccessRule } from '../../../src/access/access-rule.js';
import { opens } from '../packets.js';
import type { Evaluator } from './evaluator.js';

export const json: Evaluator = (text, model) => {
  const { rules } = JSON.parse(text) as { rules: AccessRule[] };
  return (packet) => opens({ ...model, rules }, packet);
};

/** Without quoted fields, which the models of these tests do not need. */
export const csv: Evaluator = (text, model) => {
  const [names = '', ...rows] = text.trim().split('\n');
  const columns = names.split(',');
  const rules = rows.map((row) => {
    const cells = new Map(row.split(',').map((cell, index) => [columns[index], cell]));
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

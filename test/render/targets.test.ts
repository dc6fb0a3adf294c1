import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessModel } from '../../src/access/access-model.js';
import { formatAddress } from '../../src/net/address.js';
import { mergeModel } from '../../src/render/select-rules.js';
import { TARGETS } from '../../src/render/target-table.js';
import { runs } from '../support/samples.js';
import type { Evaluator } from './evaluators/evaluator.js';
import { FORMS, type Form } from './forms.js';
import { boundaryPackets, opens } from './packets.js';

test('every target is proved here, and goes by the name in the table', async () => {
  expect(FORMS.map(({ name }) => name)).toEqual(TARGETS.map(({ name }) => name));
  const loaded = await Promise.all(TARGETS.map(({ load }) => load()));
  expect(loaded).toEqual(FORMS.map(({ target }) => target));
});

test('docs/firewalls.md lists every target, as its help describes it', () => {
  const page = readFileSync('docs/firewalls.md', 'utf8');
  const [, table = ''] = /\| target \| output \|.*\n.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const lines = table.replaceAll('`', '').trim().split('\n');
  expect(lines.map((line) => line.split(' | ').slice(0, 2))).toEqual(
    TARGETS.map(({ name, about }) => [`| ${name}`, about]),
  );
});

describe.each(FORMS.map((form) => [form.name, form] as const))('%s', (_name, form) => {
  const { target, evaluator, example, models } = form;

  test('it opens what the model opens, at and around every boundary', () => {
    fc.assert(
      fc.property(models, (model) => {
        expect(wrongPackets(evaluator, target.render(model), model)).toEqual([]);
      }),
      { numRuns: runs(10) },
    );
    expect(wrongPackets(evaluator, target.render(example), example)).toEqual([]);
  });

  test('merging opens the same', () => {
    fc.assert(
      fc.property(models, (model) => {
        const text = target.render(mergeModel(model));
        expect(wrongPackets(evaluator, text, model)).toEqual([]);
      }),
      { numRuns: runs(5) },
    );
  });

  test('the order of rules makes no difference', () => {
    const reversed = { ...example, rules: [...example.rules].reverse() };
    expect(target.render(reversed)).toBe(target.render(example));
  });

  test('dropped lines, wider masks, open ports and swapped directions change its decisions', () => {
    const text = target.render(example);
    for (const mutated of dangerousMutations(form, text)) {
      expect(mutated).not.toBe(text);
      expect(wrongPackets(evaluator, mutated, example)).not.toEqual([]);
    }
  });
});

/** Packets on which text and model disagree, for people. */
function wrongPackets(evaluator: Evaluator, text: string, model: AccessModel): string[] {
  const passes = evaluator(text, model);
  return boundaryPackets(model)
    .filter((packet) => passes(packet) !== opens(model, packet))
    .map(({ direction, peer, protocol, port }) =>
      [
        direction,
        protocol,
        port,
        formatAddress(peer),
        opens(model, { direction, peer, protocol, port, subject: 'agents' }),
      ].join(' '),
    );
}

function dangerousMutations({ swap, needsEveryLine }: Form, text: string): string[] {
  const lines = text.split('\n');
  const address = lines.findIndex((line) => line.includes('198.51.100.49'));
  const replaced = (change: (line: string) => string) =>
    lines.map((line, index) => (index === address ? change(line) : line)).join('\n');
  const common = [
    ...(needsEveryLine ? [] : [lines.toSpliced(address, 1).join('\n')]),
    replaced((line) => line.replace(/198\.51\.100\.49(\/32)?/, '198.51.100.48/31')),
  ];
  return swap
    ? [...common, text.replaceAll(swap[0], swap[1]), text.replaceAll('443', '444')]
    : common;
}

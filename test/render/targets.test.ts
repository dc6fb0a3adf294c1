import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessModel } from '../../src/access/access-model.js';
import { formatAddress } from '../../src/net/address.js';
import { cidrOpenings, toOpening } from '../../src/render/model.js';
import { mergeModel } from '../../src/render/select-rules.js';
import { TARGETS } from '../../src/render/target-table.js';
import { runs } from '../support/samples.js';
import type { Evaluator } from './evaluators/evaluator.js';
import { FORMS, type Form } from './forms.js';
import { boundaryPackets, opens } from './packets.js';

test('every target is proved here, and goes by the name in the table', async () => {
  expect(FORMS.map(({ target }) => target.name)).toEqual(TARGETS.map(({ name }) => name));
  const loaded = await Promise.all(TARGETS.map(({ load }) => load()));
  expect(loaded.map(({ name }) => name)).toEqual(TARGETS.map(({ name }) => name));
});

test('docs/render.md lists every target, as its help describes it', () => {
  const page = readFileSync('docs/render.md', 'utf8');
  const [, table = ''] = /\| target \| output \|.*\n.*\n((?:\|.*\n)+)/.exec(page) ?? [];
  const lines = table.replaceAll('`', '').trim().split('\n');
  expect(lines.map((line) => line.split(' | ').slice(0, 2))).toEqual(
    TARGETS.map(({ name, about }) => [`| ${name}`, about]),
  );
});

describe.each(FORMS.map((form) => [form.target.name, form] as const))('%s', (_name, form) => {
  const { target, evaluator, example, models } = form;

  test('what is parsed is what was rendered', () => {
    fc.assert(
      fc.property(models, (model) => {
        expect(target.parse(target.render(model))).toEqual(expectedOpenings(form, model));
      }),
      { numRuns: runs(10) },
    );
  });

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

  test('no change of the text goes unnoticed', () => {
    const text = target.render(example);
    const before = JSON.stringify(target.parse(text));
    const unnoticed = mutations(text).filter((mutated) => isAccepted(form, mutated, before));
    expect(unnoticed).toEqual([]);
  });

  test('dropped lines, wider masks, open ports and swapped directions change its decisions', () => {
    const text = target.render(example);
    for (const mutated of dangerousMutations(form, text)) {
      expect(mutated).not.toBe(text);
      expect(wrongPackets(evaluator, mutated, example)).not.toEqual([]);
    }
  });
});

function expectedOpenings({ target, readBack }: Form, model: AccessModel): unknown {
  if (readBack === 'whole rule') return model.rules.map(toOpening);
  const openings = cidrOpenings(model, target.name).flatMap(({ cidrs, ...service }) =>
    cidrs.map(({ text }) => ({ ...service, peer: { kind: 'cidr' as const, cidr: text } })),
  );
  return readBack === 'address' ? openings.map(({ peer }) => ({ peer })) : openings;
}

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

function isAccepted({ target }: Form, mutated: string, before: string): boolean {
  try {
    return JSON.stringify(target.parse(mutated)) === before;
  } catch {
    return false;
  }
}

const SWAPS = [
  ['egress', 'ingress'],
  ['Egress', 'Ingress'],
  ['daddr', 'saddr'],
  ['dst', 'src'],
  ['accept', 'drop'],
  ['ACCEPT', 'DROP'],
  ['tcp', 'udp'],
  ['TCP', 'UDP'],
  ['flush', 'add'],
] as const;

/** Every single change of one line: left out, doubled, each digit, each word of a pair. */
function mutations(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (isRemark(line)) return [];
    const replaced = (...by: string[]) => lines.toSpliced(index, 1, ...by).join('\n');
    return [
      replaced(),
      replaced(line, line),
      ...[...line.matchAll(/\d/g)].map(({ index: at, 0: digit }) =>
        replaced(`${line.slice(0, at)}${(Number(digit) + 1) % 10}${line.slice(at + 1)}`),
      ),
      ...SWAPS.flatMap(([a, b]) => [...swapped(line, a, b), ...swapped(line, b, a)]).map((by) =>
        replaced(by),
      ),
    ];
  });
}

/** A line with another word in place of one; within the name of an option a word decides nothing. */
function swapped(line: string, word: string, other: string): string[] {
  const place = new RegExp(`(?<!fixed-ip-)${word}`);
  return place.test(line) ? [line.replace(place, other)] : [];
}

/** Parts that tell people and decide nothing: comments, digests, and the reasons of the rules. */
function isRemark(line: string): boolean {
  return line === '' || line.startsWith('#') || /digest|"reason"|"via"|"stack"/.test(line);
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

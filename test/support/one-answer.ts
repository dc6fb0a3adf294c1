import { expect } from 'vitest';
import { remember } from '../../src/lists/remember.js';
import { formatAddress } from '../../src/net/address.js';
import { answerQuestion, joinAnswers } from '../../src/reach/questions/answer.js';
import type { SynthesizedStack, SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { readReached } from '../../src/reach/ways/doors.js';
import type { Finding, ReviewReport } from '../../src/review/report-schema.js';
import type { Random } from '../reach/differential/random.js';

/** The set of packets of a row, from its identity: effect, option, direction, subject, family, addresses, services. */
export function packetsOf({ identity }: Pick<Finding, 'identity'>) {
  const [effect, via = '', direction = '', subject = '', kind, family, range = '', ...spans] =
    identity;
  const [first = 0n, last = 0n] = range.split('-').map(BigInt);
  const services = spans.map((span) => {
    const [from = 0, to = 0] = span.split('-').map(Number);
    return { first: from, last: to };
  });
  return {
    direction: direction === 'egress' ? direction : 'ingress',
    family: family === '6' ? 6 : 4,
    ...{ effect, via, subject, kind, first, last, services },
  } as const;
}

/** The first and the last packet of a set, and three of it. */
export function samplesOf(
  { first, last, services }: Pick<ReturnType<typeof packetsOf>, 'first' | 'last' | 'services'>,
  random: Random,
) {
  const pick = (value: bigint) => {
    const span = services[random.below(services.length)] ?? { first: 0, last: 0 };
    const port = span.first + random.below(span.last - span.first + 1);
    return { value, services: [{ first: port, last: port }] };
  };
  const size = Number(last - first > 4000n ? 4000n : last - first) + 1;
  const any = () => pick(first + BigInt(random.below(size)));
  return [any(), any(), any(), pick(first), pick(last)];
}

const reachedOnce = remember((stack: SynthesizedStack) => readReached({ ...stack, file: '' }));

/**
 * Asks `reach` about the packets of every row of a review in both trees: the one that the row names, and three of its
 * set. Every row that the schema gives `passes` is in it.
 *
 * @returns how many packets were asked
 */
export function expectOneAnswer(
  { findings }: ReviewReport,
  [before, after]: readonly [SynthesizedTree, SynthesizedTree],
  random: Random,
): number {
  let asked = 0;
  for (const finding of findings) {
    const { passes, stack, packet } = finding;
    if (passes === undefined) continue;
    const { direction, subject, kind, family, first, last, services } = packetsOf(finding);
    // Rows of folded addresses have a fingerprint in place of their set.
    if (kind !== 'addresses') continue;
    const samples = passes.isOfSome === true ? [] : samplesOf({ first, last, services }, random);
    for (const { value, services: one } of samples) {
      for (const [tree, answer] of [
        [before, passes.before],
        [after, passes.after],
      ] as const) {
        const own = tree.get(stack);
        if (own === undefined) continue;
        const peer = { kind: 'addresses', family, first: value, last: value } as const;
        const question = { direction, subject, peer, services: one };
        const places = answerQuestion([reachedOnce(own)], question);
        if (places.length === 0) continue;
        // A row about one of several places says so: in the other tree it may not be there.
        const isOfOnePlace = / at (?!some places)/.test(packet ?? '');
        const told = new Set([
          joinAnswers(places.map((place) => place.answer)),
          ...places.map((place) => place.answer),
          ...(isOfOnePlace ? ['closed', 'undecided'] : []),
        ]);
        expect([...told], `${packet} / ${formatAddress({ family, value })}`).toContain(answer);
        asked += 1;
      }
    }
  }
  return asked;
}

import { expect, test } from 'vitest';
import { otherFindings } from '../../src/rehearse/orders/other-findings.js';
import { withFindings } from '../../src/rehearse/report/finding-lanes.js';
import { makeFindings } from '../../src/rehearse/report/findings.js';
import { summarize } from '../../src/rehearse/report/headline.js';
import type { Passage } from '../../src/rehearse/timeline/account.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import { expectStepAnswers, packetPaths } from '../support/step-answers.js';
import { randomPassage } from './orders/random-passage.js';

/** The parts of a report that say something of packets. */
function reported(passage: Passage) {
  const { steps, lanes } = makeAccount(passage);
  const findingsOf = (one: Passage) => makeFindings(makeAccount(one), []);
  const findings = findingsOf(passage);
  const others = otherFindings(passage, { steps, findings, findingsOf });
  const all = [...findings, ...others];
  const timeline = { steps, lanes: withFindings(lanes, { findings, others }, steps.length) };
  return { findings: all, summary: summarize(all, steps.length), timeline };
}

/** How many packets of each random cloud are asked, by where its report has them. */
const ASKED: readonly (readonly [seed: number, findings: number, effects: number])[] = [
  [4, 30, 65],
  [5, 110, 155],
  [6, 5, 25],
];

test.each(
  ASKED,
)('at each step reach answers what the rehearsal of cloud %i says', (seed, ...counts) => {
  const passage = randomPassage(seed);
  const asked = expectStepAnswers(reported(passage), passage);
  expect([...packetPaths()].map((path) => asked[path] ?? 0)).toEqual(counts);
});

test('a packet that fares otherwise is found', () => {
  const passage = randomPassage(4);
  const { findings, ...report } = reported(passage);
  const turned = findings.map((finding) => ({
    ...finding,
    packets: finding.packets?.map(({ identity: [effect, ...identity], ...packet }) => ({
      ...packet,
      identity: [effect === 'widens' ? 'narrows' : 'widens', ...identity],
    })),
  }));
  expect(() => expectStepAnswers({ findings: turned, ...report }, passage)).toThrow();
});

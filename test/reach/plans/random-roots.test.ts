import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerQuestion, joinAnswers } from '../../../src/reach/questions/answer.js';
import { readQuestion } from '../../../src/reach/questions/read-question.js';
import { readStateFile } from '../../../src/reach/read/state-file.js';
import { stackWith } from '../../../src/reach/read/terraform-json.js';
import type { Reached } from '../../../src/reach/ways/doors.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { runs } from '../../support/samples.js';
import { randomOf } from '../two-engines.js';
import { planned, reachedOf, rootOf, rowsOf } from './planned.js';
import { PORTS, PROBED, randomRoot } from './random-root.js';

let terraform: StandInTerraform;
beforeAll(async () => {
  terraform = await StandInTerraform.start();
});
afterAll(() => terraform.stop());

const ROOTS = runs(6);
const SEED = Number(process.env.SECURE_CONNECTIVITY_SEED ?? 1);

/** The answers to every question about an endpoint. */
function answersOf(stack: Reached, endpoints: readonly string[]): Map<string, string> {
  const all = endpoints.flatMap((to) =>
    PROBED.flatMap((from) =>
      PORTS.map((port): [string, string] => {
        const written = { from, to: `${to}:${port}`, protocol: 'tcp' };
        const places = answerQuestion([stack], readQuestion(written, [stack]));
        return [`${from} to ${to}:${port}`, joinAnswers(places.map(({ answer }) => answer))];
      }),
    ),
  );
  return new Map(all);
}

test.each(
  Array.from({ length: ROOTS }, (_, i) => [SEED * 1_000 + i]),
)('plan, state and the same without modules answer alike: root %i', async (seed) => {
  const { what, files, flat, isAmbiguous } = randomRoot(randomOf(seed));
  const stack = await rootOf(terraform, files);
  const endpoints = flat.filter(({ type }) => type.endsWith('vpc_endpoint'));
  const addresses = endpoints.map(({ address }) => address);
  const expected = reachedOf({ terraform: stackWith(flat) });
  const wanted = answersOf(expected, addresses);
  const first = reachedOf({ terraform: (await planned(stack)).left });
  const got = answersOf(first, addresses);
  const wrong = [...wanted].filter(([question, answer]) => {
    const planAnswer = got.get(question);
    return planAnswer !== answer && !(isAmbiguous(question) && planAnswer === 'undecided');
  });
  expect([what, wrong.map(([question, answer]) => [question, answer, got.get(question)])]).toEqual([
    what,
    [],
  ]);
  expect(first.unseen).toEqual([]);
  const certain = (one: Reached) =>
    rowsOf(one).filter((row) => !isAmbiguous(JSON.parse(row).subject));
  expect(certain(first)).toEqual(certain(expected));

  await stack.apply();
  const state = join(stack.folder, 'state.json');
  writeFileSync(state, await stack.must('show', '-json'));
  const there = reachedOf({ terraform: readStateFile(state, '--state') });
  const { left, found, deployed = left } = await planned(stack);
  for (const one of [left, found, deployed]) {
    expect(one && rowsOf(reachedOf({ terraform: one }))).toEqual(rowsOf(there));
  }
  expect([what, [...answersOf(there, addresses)]]).toEqual([what, [...wanted]]);
}, 60_000);

import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_HOST, PUBLIC_STAND_IN } from '../../src/sandbox/surroundings.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';
const BELOW = `status.${API_HOST}`;
const PRIVATE = '10.20.1.9';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', ({ serviceEndpoint }) => {
    const addresses = { 'cn-beijing-a': PRIVATE };
    Object.assign(serviceEndpoint as object, { privateZone: true, addresses });
  });
});
afterAll(() => run.stop());

/** The answers to clients of both names during another operation, each once. */
async function answersDuring<T>(work: Promise<T>): Promise<{ result: T; answers: object }> {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${run.sandbox.ports.dns}`]);
  const answers = { [API_HOST]: new Set<string>(), [BELOW]: new Set<string>() };
  let isOver = false;
  const finished = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const [name, seen] of Object.entries(answers)) {
      const answer = await resolver.resolve4(name).catch(({ code }) => [String(code)]);
      seen.add(answer.join());
    }
    await sleep(5);
  }
  return { result: await finished, answers };
}

test.each([
  { command: 'apply', about: 'a deploy binds the zone' },
  { command: 'destroy', about: 'a destroy takes it away' },
] as const)('no client ever gets the answer that there is no such name: $about', async ({
  command,
}) => {
  const { result, answers } = await answersDuring(run[command](STACK));
  expect(result.status, result.output).toBe(0);
  expect(answers).toEqual({
    [API_HOST]: new Set([PUBLIC_STAND_IN, PRIVATE]),
    [BELOW]: new Set([PUBLIC_STAND_IN]),
  });
});

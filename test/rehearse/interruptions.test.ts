import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interruptEach } from '../../src/rehearse/move.js';
import type { RehearsedStack } from '../../src/rehearse/read-trees.js';
import type { Moment, Stage } from '../../src/rehearse/stage/stage.js';
import type { Account } from '../../src/rehearse/timeline/account.js';
import { stackOf } from '../review/trees.js';
import { temporaryFolder } from '../support/cleanup.js';
import { NOTHING_UNDERSTOOD } from './understood.js';

/** What each stack makes, one step a type. */
const MAKES: Readonly<Record<string, readonly string[]>> = {
  first: ['VPC', 'Subnet'],
  last: ['PrefixList'],
};

const step = (type: string) => ({
  operation: 'CREATE' as const,
  typeName: `Volcengine::VPC::${type}`,
  cloud: { version: 1 as const, serial: 0, resources: {}, tasks: {} },
});

/**
 * A stage whose Terraform makes what a stack lacks, one after the other.
 *
 * @param orphans the type that a killed run has made and does not know of: it is made again
 */
async function stageWith(orphans?: string) {
  const folder = await temporaryFolder();
  for (const name of ['stacks', 'states']) mkdirSync(join(folder, name));
  const runs: string[] = [];
  let [there, taken, left, state] = [[] as string[], [] as string[], 0, [] as string[]];
  const make = (type: string): boolean => {
    there.push(type);
    taken.push(type);
    left -= 1;
    if (left === 0 && type === orphans) return true;
    state.push(type);
    return left === 0;
  };
  const stage = {
    folder,
    save: () => ({}),
    load: () => {
      [there, state] = [[], []];
    },
    killAfter: (steps: number) => {
      left = steps;
    },
    recorder: { take: () => taken.splice(0).map(step) },
    sandbox: { resources: () => there.map((type) => ({ typeName: step(type).typeName })) },
    runner: {
      async run({ name }: RehearsedStack, [command = '']: readonly string[]) {
        if (command === 'apply') runs.push(name);
        const lacking = command === 'apply' ? (MAKES[name] ?? []) : [];
        const isKilled = lacking.filter((type) => !state.includes(type)).some(make);
        const errors = isKilled ? ['it ended with null'] : [];
        return { status: isKilled ? null : 0, planned: [], errors, hasBegun: true };
      },
    },
  };
  return {
    stage: stage as unknown as Stage,
    runs,
    finish: () => ['VPC', 'Subnet', 'PrefixList'].forEach(make),
  };
}

const treeIn = (folder: string) =>
  Object.keys(MAKES).map((name) => ({
    ...stackOf([], {}, name),
    folder,
    understood: NOTHING_UNDERSTOOD,
  }));

const ACCOUNT = {
  steps: ['first', 'first', 'last'].map((stack, i) => ({ number: i + 1, stack, text: '' })),
} as unknown as Account;

async function interrupted(orphans?: string) {
  const { stage, runs, finish } = await stageWith(orphans);
  stage.killAfter(Number.POSITIVE_INFINITY);
  finish();
  stage.recorder.take();
  const tree = treeIn(await temporaryFolder());
  const found = await interruptEach(stage, {} as Moment, tree, ACCOUNT);
  return {
    runs,
    found: found.map(({ step, stack, text, problems }) => [step, stack, text, problems]),
  };
}

test('a deploy that is killed goes no further, and is told of the stack that it was killed in', async () => {
  const { runs, found } = await interrupted();
  expect(found).toEqual([
    [1, 'first', 'VPC created', []],
    [2, 'first', 'subnet created', []],
    [3, 'last', 'prefix list created', []],
  ]);
  const again = ['first', 'last'];
  expect(runs).toEqual(['first', ...again, 'first', ...again, 'first', 'last', ...again]);
});

test('what is made twice after a kill is told of that step alone', async () => {
  const { found } = await interrupted('Subnet');
  expect(found).toEqual([
    [1, 'first', 'VPC created', []],
    [2, 'first', 'subnet created', ['1 more of VPC::Subnet than wanted']],
    [3, 'last', 'prefix list created', []],
  ]);
});

import { join } from 'node:path';
import type { TreeIntents } from '../../intents/intents-file.js';
import { readStackIntents } from '../../intents/read-intents.js';
import { groupBy } from '../../lists/group-by.js';
import { type AskedStack, readReached } from '../ways/doors.js';
import type { IntentAnswer } from './answer.js';
import { judgeIntents } from './judge-intents.js';
import { judgedStack } from './scope.js';

/** Intents, and the names of the stacks that they are judged by. */
export interface IntentGroup {
  readonly intents: TreeIntents;
  readonly stacks: readonly string[];
}

/**
 * Reads the intents that the stacks of a tree have beside them: those of one environment have the same.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readIntentGroups(tree: string, stacks: readonly string[]): IntentGroup[] {
  return groupIntents(
    stacks.map((name) => ({ name, intents: readStackIntents(join(tree, 'stacks', name)) })),
  );
}

/** Groups stacks that have the same intents; those without any are left out. */
export function groupIntents(
  stacks: readonly { readonly name: string; readonly intents?: TreeIntents | undefined }[],
): IntentGroup[] {
  const found = stacks.flatMap(({ name, intents }) => (intents ? [{ name, intents }] : []));
  const groups = groupBy(found, ({ intents }) => JSON.stringify(intents));
  return [...groups.values()].map((group) => ({
    intents: group[0].intents,
    stacks: group.map(({ name }) => name),
  }));
}

/** An answer, and the environment that it is for. */
export interface TreeAnswer extends IntentAnswer {
  readonly environment: string;
}

/** Judges the intents of a tree, each group by its own stacks. @throws ConnectivityError `usage.invalid` */
export function judgeTree(
  groups: readonly IntentGroup[],
  stacks: readonly AskedStack[],
): TreeAnswer[] {
  return groups.flatMap(({ intents, stacks: names }) => {
    const own = stacks.filter(({ name }) => names.includes(name)).map(readReached);
    const { environment = '' } = intents;
    return judgeIntents(intents, own.map(judgedStack)).map((answer) => ({
      environment,
      ...answer,
    }));
  });
}

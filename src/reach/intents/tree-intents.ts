import type { AskedStack } from '../ways/doors.js';
import type { IntentAnswer } from './answer.js';
import type { IntentGroup } from './intent-groups.js';
import { judgeIntents } from './judge-intents.js';
import { judgedStack } from './scope.js';

/** An answer, and the environment that it is for. */
export interface TreeAnswer extends IntentAnswer {
  readonly environment: string;
}

/** Judges the intents of a tree, each group by its own stacks. @throws ConnectivityError `intents.invalid` */
export function judgeTree(
  groups: readonly IntentGroup[],
  stacks: readonly AskedStack[],
): TreeAnswer[] {
  return groups.flatMap(({ intents, stacks: names }) => {
    const own = stacks.filter(({ name }) => names.includes(name)).map(judgedStack);
    const { environment = '' } = intents;
    return judgeIntents(intents, own).map((answer) => ({ environment, ...answer }));
  });
}

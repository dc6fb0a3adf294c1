import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { readIntentGroups } from '../../intents/read-intents.js';
import { INTENTS_FILE } from '../../intents/tree-file.js';
import { answerText, isRefused } from '../../reach/intents/answer.js';
import { judgeTree } from '../../reach/intents/judge-intents.js';
import { readTree } from '../../reach/read/read-tree.js';
import { readManifest } from '../../terraform/manifest.js';

/** The consequence of a broken intent: an error, or no more than its report. */
export type OnBrokenIntent = 'refuse' | 'report';

/**
 * Refuses a tree that breaks one of the intents beside its stacks; those that no file decides are said.
 *
 * @throws ConnectivityError `policy.intent-broken`, `usage.invalid`
 */
export async function refuseBrokenIntents(
  tree: string,
  onBroken: OnBrokenIntent = 'refuse',
): Promise<void> {
  const names = readManifest(tree, '--tree')?.map(({ name }) => name) ?? [];
  if (!names.some((name) => existsSync(join(tree, 'stacks', name, INTENTS_FILE)))) return;
  const stacks = [...readTree(tree, '--tree').values()].map((stack) => ({
    ...stack,
    file: join('stacks', stack.name, 'cdk.tf.json'),
  }));
  const answers = judgeTree(readIntentGroups(tree, names), stacks);
  const today = new Date().toISOString().slice(0, 10);
  const refused = answers.filter((answer) => isRefused(answer, today));
  const said = answers.filter(({ verdict }) => verdict === 'undecided' || verdict === 'broken');
  for (const answer of said.filter((one) => onBroken === 'report' || !refused.includes(one))) {
    process.stderr.write(`secure-connectivity: ${answerText(answer, today)}\n`);
  }
  if (refused.length === 0 || onBroken === 'report') return;
  throw new ConnectivityError(
    'policy.intent-broken',
    refused.map((answer) => answerText(answer, today)).join('\n'),
  );
}

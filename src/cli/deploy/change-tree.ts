import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { factsOf } from '../../codes/codes.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { EXIT } from '../../codes/exit-status.js';
import { shownLines } from '../../codes/redact.js';
import type { JsonObject } from '../../files/json.js';
import { makeTemporaryFolder } from '../../files/temporary-folder.js';
import { checkTerraform, PLAN_FOLDER_VARIABLE } from '../../terraform/program.js';
import { requireWritableFolder } from '../program/named-files.js';
import { reportError } from '../program/output.js';
import { refuseBrokenIntents } from '../program/refuse-broken-intents.js';
import { Interrupts, signalStatus } from '../program/signals.js';
import { changeRun, type Flags, type Verb } from './change-run.js';
import { changeStack } from './change-stack.js';
import { fetchOutputs, writeOutputs } from './stack-outputs.js';
import { StackOutput } from './terraform/stack-output.js';
import { refuseTerraformWords } from './terraform/terraform-words.js';
import {
  copyReviewedTree,
  type ReviewedTree,
  removeReviewedTree,
  reviewedEnvironment,
} from './tree/reviewed-tree.js';
import { findStateReaders, readStackFacts, refuseRunElsewhere } from './tree/stack-facts.js';
import {
  type Changes,
  changeInOrder,
  orderOf,
  readStacks,
  refuseMissingDependencies,
  selectStacks,
  type TreeStack,
} from './tree/stacks.js';
import { readProjectConfig, synthesize } from './tree/synthesize.js';

/**
 * Deploys or destroys the stacks of a tree that match the patterns.
 *
 * @returns the exit status
 * @throws ConnectivityError `usage.invalid` and `policy.intent-broken`, before
 * anything is done
 */
export async function changeTree(
  verb: Verb,
  flags: Flags,
  patterns: readonly string[],
): Promise<number> {
  refuseBefore(flags);
  const interrupts = new Interrupts();
  const { tree: given, reviewed: digest } = flags;
  const isReviewed = given !== undefined && digest !== undefined;
  const reviewed = isReviewed ? copyReviewedTree(given, digest) : undefined;
  try {
    const tree = await findTree(
      { ...flags, ...(reviewed && { tree: reviewed.folder }) },
      interrupts,
    );
    if (typeof tree === 'number') return tree;
    const stacks = selectStacks(tree, patterns);
    const [first] = tree;
    // Every stack of a tree counts, and not only those that are deployed now.
    if (verb === 'deploy' && first) await refuseBrokenIntents(dirname(dirname(first.folder)));
    if (!flags.ignoreMissingStackDependencies) refuseMissingDependencies(verb, stacks, tree);
    return await changeStacks(verb, { flags, reviewed }, stacks, interrupts);
  } finally {
    if (reviewed !== undefined) removeReviewedTree(reviewed);
    interrupts.stop();
  }
}

/** Refuses what can be known to fail before anything is done. @throws ConnectivityError `usage.invalid` */
function refuseBefore({ autoApprove, outputsFile }: Flags): void {
  checkTerraform(process.env);
  refuseTerraformWords(process.env);
  if (!autoApprove && !process.stdin.isTTY) {
    throw usageError(
      '`--auto-approve` is required without a terminal, where nobody can approve the plan, got: none',
    );
  }
  if (outputsFile !== undefined) {
    requireWritableFolder('--outputs-file', outputsFile, 'nothing was changed');
  }
}

/** Stacks of the tree that is given, or that the app writes; the exit status of an app that failed. */
async function findTree(flags: Flags, interrupts: Interrupts): Promise<TreeStack[] | number> {
  if (flags.tree !== undefined) return readStacks(flags.tree, '--tree');
  const config = readProjectConfig();
  const { app = config.app, output = config.output ?? 'cdktf.out' } = flags;
  if (flags.skipSynth) return readStacks(output, '--output');
  if (app === undefined) {
    throw usageError(
      '`app` must be in the cdktf.json of the working folder, got: none; run this in a project, or name a synthesized tree with --tree',
    );
  }
  const status = await synthesize({ app, output, config, interrupts });
  return status === 0 ? readStacks(output, '--output') : status;
}

async function changeStacks(
  verb: Verb,
  { flags, reviewed }: { readonly flags: Flags; readonly reviewed: ReviewedTree | undefined },
  stacks: readonly TreeStack[],
  interrupts: Interrupts,
): Promise<number> {
  const facts = new Map(stacks.map((stack) => [stack.name, readStackFacts(stack)]));
  for (const [name, one] of facts) refuseRunElsewhere(name, one);
  const privateFolder = makeTemporaryFolder('deploy', process.env[PLAN_FOLDER_VARIABLE]);
  const run = changeRun(verb, flags, privateFolder, interrupts, reviewed);
  const outputs: JsonObject[] = [];
  const messages: string[] = [];
  try {
    const before = orderOf(verb, stacks, findStateReaders(facts));
    const order = { limit: stacksAtOnce(flags), before };
    const isStopped = () => interrupts.signal !== undefined;
    const changes = await changeInOrder(stacks, { ...order, isStopped }, async (stack) => {
      const own = facts.get(stack.name) ?? readStackFacts(stack);
      const output = new StackOutput(stacks.length > 1 ? stack.name : undefined);
      const status = await reportStatus(messages, interrupts, async () => {
        const env = reviewedEnvironment(reviewed, stack);
        const sayLast = (text: string) => messages.push(text);
        const end = await changeStack(run, { stack, facts: own, output, say, sayLast, env });
        if (end === 0 && flags.outputsFile !== undefined) {
          outputs.push(await fetchOutputs(run, stack, own.outputs, flags));
        }
        return end;
      });
      if (!isStopped()) say(endOfStack(verb, stack, status));
      return status;
    });
    for (const message of messages) say(message);
    return judge(verb, changes, interrupts, () => writeOutputs(flags, outputs));
  } finally {
    rmSync(privateFolder, { recursive: true, force: true });
  }
}

/** Plans that a person approves come one after the other. */
function stacksAtOnce({ autoApprove, parallelism }: Flags): number {
  if (!autoApprove) return 1;
  return parallelism > 0 ? parallelism : Number.POSITIVE_INFINITY;
}

function say(text: string): void {
  process.stderr.write(`secure-connectivity: ${text}\n`);
}

function endOfStack(verb: Verb, { name }: TreeStack, status: number): string {
  if (status !== 0) return `${name}: failed with status ${status}`;
  return `${name}: ${verb === 'deploy' ? 'Deploy' : 'Destroy'} complete!`;
}

/** Answers the exit status of work; why a stack was refused becomes a message for the end. */
async function reportStatus(
  messages: string[],
  { aborted }: Interrupts,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (aborted.aborted) return EXIT.interrupted;
    // The other stacks go on.
    if (!(error instanceof ConnectivityError)) return reportError(error);
    messages.push(`${error.code}: ${shownLines(error.message)}`);
    return factsOf(error.reason).exit;
  }
}

function judge(
  verb: Verb,
  { ended, skipped }: Changes,
  interrupts: Interrupts,
  finish: () => void,
): number {
  if (skipped.length > 0) {
    say(`not ${verb === 'deploy' ? 'deployed' : 'destroyed'}: ${skipped.join(', ')}`);
  }
  if (interrupts.signal !== undefined) return signalStatus(interrupts.signal);
  const failed = ended.find(({ status }) => status !== 0);
  if (failed !== undefined) return failed.status;
  finish();
  return 0;
}

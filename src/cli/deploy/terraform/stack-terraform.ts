import type { DeployContext } from '../../../terraform/terraform-folder.js';
import type { Interrupts } from '../../program/interrupts.js';
import type { TreeStack } from '../tree/read-stacks.js';
import type { ReviewedTree } from '../tree/reviewed-tree.js';
import type { StackFacts } from '../tree/stack-facts.js';
import type { StackOutput } from './stack-output.js';
import {
  runTerraformProcess,
  type TerraformEnd,
  type TerraformProcess,
} from './terraform-process.js';

/** The settings that all stacks of a deploy or destroy share. */
export interface ChangeRun {
  readonly verb: 'deploy' | 'destroy';
  readonly context: DeployContext;
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** Only this user can read it: a plan holds the state in the clear. */
  readonly privateFolder: string;
  readonly interrupts: Interrupts;
  readonly autoApprove: boolean;
  /** The copy that Terraform runs in; undefined without `--reviewed`. */
  readonly reviewed: ReviewedTree | undefined;
  readonly migrateState: boolean;
  /** Options of Terraform's plan, such as those that set variables. */
  readonly planArguments: readonly string[];
  /** Options of every run that plans or applies. */
  readonly runArguments: readonly string[];
  readonly withColour: boolean;
  /** Runs what must not run for two stacks at once, because all share a cache of providers. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface StackChange {
  readonly stack: TreeStack;
  readonly facts: StackFacts;
  readonly output: StackOutput;
  readonly say: (text: string) => void;
  /** Says something below all that is said of stacks. */
  readonly sayLast: (text: string) => void;
  /** Variables for this stack alone. */
  readonly env: NodeJS.ProcessEnv;
}

/** Runs Terraform on a stack. @param own where its output goes, and what is its own in the environment */
export function runOnStack(
  { program, env, interrupts }: ChangeRun,
  { stack: { folder }, env: stackEnv }: StackChange,
  args: readonly string[],
  own: Partial<Pick<TerraformProcess, 'output' | 'outputFile' | 'env' | 'started'>>,
): Promise<TerraformEnd> {
  const { env: ownEnv, ...rest } = own;
  return runTerraformProcess(args, {
    ...rest,
    program,
    folder,
    interrupts,
    env: { ...env, ...stackEnv, ...ownEnv },
  });
}

/** Names the state that a deploy changes. */
export function workspaceOf({ backend }: StackFacts): string {
  return JSON.stringify([backend, process.env.TF_WORKSPACE || 'default']);
}

/** The option without which Terraform writes colours. */
export const colour = ({ withColour }: ChangeRun) => (withColour ? [] : ['-no-color']);

/** Statuses above are of processes that a signal has ended. */
export const SIGNALLED = 128;

/** Says how Terraform ended where its own output may not. */
export function endOf(command: string, end: TerraformEnd, { stack, say }: StackChange): number {
  if (end.status > SIGNALLED) say(`terraform ${command} was killed in ${stack.folder}`);
  if (command === 'init') say(`terraform init failed with exit code ${end.status}`);
  return end.status;
}

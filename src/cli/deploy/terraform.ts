#!/usr/bin/env node
// What cdktf runs as Terraform during `secure-connectivity deploy`.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { onSignal, signalStatus } from '../program/signals.js';
import { type DeployContext, logRun, RUN_VARIABLE, readDeployContext } from './run-log.js';
import {
  type ChangingStack,
  refuseLockedState,
  terraformFolder,
  unlockCommand,
} from './run-terraform.js';

/**
 * Runs Terraform in cdktf's place and answers an exit status that cdktf understands: it takes a
 * Terraform that was killed for one that succeeded. Before a run that changes a stack come the steps
 * of `before-plan.ts`.
 */
async function wrapTerraform(context: DeployContext, args: readonly string[]): Promise<number> {
  const run = process.pid;
  const folder = process.cwd();
  const [command = ''] = args;
  logRun(context, { run, command, folder });
  const say = (message: string) => logRun(context, { run, message });
  let status = 1;
  try {
    status =
      command === 'apply' || command === 'destroy'
        ? await change(context, command, args, say)
        : (await (command === 'init' ? initialize : terraform)(context, args)).status;
  } catch (error) {
    status = error instanceof ConnectivityError ? factsOf(error.code).exit : 1;
    say(error instanceof ConnectivityError ? `${error.code}: ${error.message}` : String(error));
  }
  logRun(context, { run, status });
  return status;
}

async function change(
  context: DeployContext,
  command: 'apply' | 'destroy',
  args: readonly string[],
  say: (text: string) => void,
): Promise<number> {
  const folder = terraformFolder(process.cwd(), context.terraform, context.lockTimeout);
  const stack: ChangingStack = { ...folder, command, context, say };
  const { beforePlan, saveErroredStateNow } = await import('./before-plan.js');
  await beforePlan(stack);
  const lock = lockArguments(context, command);
  const { status, errors } = await terraform(context, [...args, ...lock]);
  if (status === 0) return status;
  refuseLockedState(stack, errors);
  await saveErroredStateNow(stack);
  if (status > SIGNALLED) {
    say(
      `Terraform was killed while it changed ${stack.name}: what it was creating may exist in the cloud but not in the state. Deploy again; if the state is still locked then: ${unlockCommand(stack, 'ID')}, with the ID that the error names`,
    );
  }
  return status;
}

/** A lock that the user sets in Terraform's own variables is left as it is. */
function lockArguments({ lockTimeout }: DeployContext, command: string): string[] {
  const { TF_CLI_ARGS = '', [`TF_CLI_ARGS_${command}`]: own = '' } = process.env;
  return /-lock\b/.test(`${TF_CLI_ARGS} ${own}`) ? [] : [`-lock-timeout=${lockTimeout}`];
}

/** Statuses above are of processes that a signal has ended. */
const SIGNALLED = 128;

const KEPT_ERRORS = 64 * 1024;

/**
 * Terraform gets a session of its own, so that a terminal that goes away with cdktf does not kill it
 * in mid-change: it is asked to stop, once, and saves its state.
 *
 * @returns with what it wrote on stderr, from the end, without colours
 */
function terraform(context: DeployContext, args: readonly string[]) {
  const child = spawn(context.terraform, args, {
    stdio: ['inherit', 'inherit', 'pipe'],
    env: { ...process.env, [RUN_VARIABLE]: String(process.pid) },
    detached: true,
  });
  if (child.pid !== undefined) {
    logRun(context, { run: process.pid, terraform: child.pid });
  }
  const stopForwarding = forwardFirstSignal(child);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-KEPT_ERRORS);
    process.stderr.write(chunk);
  });
  return new Promise<{ readonly status: number; readonly errors: string }>((resolve) => {
    const end = (status: number) => {
      stopForwarding();
      resolve({ status, errors: stripVTControlCharacters(errors) });
    };
    child.once('error', ({ message }) => {
      process.stderr.write(
        `secure-connectivity: \`${context.terraform}\` does not run: ${message}\n`,
      );
      end(127);
    });
    child.once('close', (status, signal) => end(status ?? (signal ? signalStatus(signal) : 1)));
  });
}

/** A second interrupt makes Terraform give up its state; only `deploy` itself sends one. */
function forwardFirstSignal(child: ChildProcess): () => void {
  let isAsked = false;
  // The terminal may be gone when Terraform writes its last lines.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return onSignal(() => {
    if (!isAsked) child.kill('SIGINT');
    isAsked = true;
  });
}

/**
 * Schema, sequence and table of a state are created `IF NOT EXISTS`, which PostgreSQL does not guard
 * against another session that creates them at the same moment.
 */
const COLLISION =
  /\bpq: (duplicate key value violates unique constraint "pg_|(schema|relation) "[^"]+" already exists|tuple concurrently updated)/;

const PAUSES_MS = [200, 500, 1000, 2000];

/** Runs `terraform init`, again where another first deploy to the same new PostgreSQL got in the way. */
async function initialize(context: DeployContext, args: readonly string[]) {
  for (const pause of PAUSES_MS) {
    const end = await terraform(context, args);
    if (end.status === 0 || !COLLISION.test(end.errors)) return end;
    process.stderr.write(
      'secure-connectivity: another deploy created its state in the database at the same moment; initializing again\n',
    );
    await sleep(pause);
  }
  return terraform(context, args);
}

const context = readDeployContext(process.env);
if (context === undefined) {
  process.stderr.write('secure-connectivity: this program is run by secure-connectivity deploy\n');
  process.exitCode = 2;
} else {
  process.exitCode = await wrapTerraform(context, process.argv.slice(2));
}

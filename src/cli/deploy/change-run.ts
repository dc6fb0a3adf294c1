import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { terraformName } from '../../terraform/program.js';
import type { Interrupts } from '../program/signals.js';
import { fileVariables } from '../verify/flags/table.js';
import { type Flags, planArguments, type Verb } from './flags.js';
import type { ChangeRun } from './terraform/stack-terraform.js';
import type { ReviewedTree } from './tree/reviewed-tree.js';

/** Answers what the flags and the environment say for every stack of a deploy or destroy. */
export function changeRun(
  verb: Verb,
  flags: Flags,
  privateFolder: string,
  interrupts: Interrupts,
  reviewed: ReviewedTree | undefined,
): ChangeRun {
  const { lockTimeout, stateOf, adopt = 'off', terraformParallelism: parallelism } = flags;
  const named = terraformName(process.env);
  const isPlain = !flags.color || Boolean(process.env.NO_COLOR) || !process.stdout.isTTY;
  let last: Promise<unknown> = Promise.resolve();
  return {
    verb,
    context: { project: process.cwd(), lockTimeout, stateOf, adopt },
    // Terraform runs in the stack's folder.
    program: named.includes('/') ? resolve(named) : named,
    // Another data folder could have the backend and the modules of another run.
    env: { ...terraformEnvironment(flags), ...(reviewed && { TF_DATA_DIR: '.terraform' }) },
    privateFolder,
    interrupts,
    autoApprove: flags.autoApprove ?? false,
    reviewed,
    migrateState: flags.migrateState ?? false,
    planArguments: planArguments(flags),
    runArguments: parallelism === undefined ? [] : [`-parallelism=${parallelism}`],
    withColour: !isPlain,
    inTurn: (work) => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function terraformEnvironment({ disablePluginCacheEnv }: Flags): NodeJS.ProcessEnv {
  const env = {
    TF_IN_AUTOMATION: '1',
    ...process.env,
    // The check runs in the stack's folder, where a relative path would mean another file.
    ...fileVariables(process.env),
  };
  if (disablePluginCacheEnv) return env;
  const cache = process.env.TF_PLUGIN_CACHE_DIR || join(homedir(), '.terraform.d', 'plugin-cache');
  try {
    mkdirSync(cache, { recursive: true });
    return { ...env, TF_PLUGIN_CACHE_DIR: cache };
  } catch {
    // Without a cache, each stack downloads its providers.
    return env;
  }
}

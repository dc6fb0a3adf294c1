import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';

/** Names the folder in which a deploy keeps its plans, for as long as it runs. @default TMPDIR */
export const PLAN_FOLDER_VARIABLE = 'SECURE_CONNECTIVITY_PLAN_FOLDER';

/** Names the folder of states that could not be saved. @default secure-connectivity/errored in XDG_STATE_HOME or ~/.local/state */
export const UNSAVED_FOLDER_VARIABLE = 'SECURE_CONNECTIVITY_ERRORED_FOLDER';

/** The program that cdktf runs as Terraform. */
export function terraformName(env: NodeJS.ProcessEnv): string {
  return env.TERRAFORM_BINARY_NAME || 'terraform';
}

/** @throws ConnectivityError `usage.invalid` where there is no Terraform */
export function checkTerraform(env: NodeJS.ProcessEnv): void {
  const name = terraformName(env);
  if (findProgram(name, env) !== undefined) return;
  throw usageError(
    `\`${name}\` is not on the PATH: install Terraform 1.11 or newer, or name another program, such as OpenTofu's \`tofu\`, in \`TERRAFORM_BINARY_NAME\`, and run this again`,
  );
}

/** Begins a program that a sandbox puts before Terraform; the path of the real one follows. */
export const STAND_IN = '#!/bin/sh\n# A sandbox of secure-connectivity, before: ';

/**
 * The path of the genuine Terraform, also in the environment of a sandbox's command, where another
 * program stands before it.
 */
export function realTerraform(env: NodeJS.ProcessEnv): string {
  const name = terraformName(env);
  const found = findProgram(name, env);
  return found === undefined ? name : behindStandIn(found);
}

/** The program that a sandbox's stand-in runs, and any other one itself. */
export function behindStandIn(program: string): string {
  if (statSync(program).size > MAX_STAND_IN_BYTES) return program;
  const text = readFileSync(program, 'utf8');
  if (!text.startsWith(STAND_IN)) return program;
  return text.slice(STAND_IN.length, text.indexOf('\n', STAND_IN.length));
}

const MAX_STAND_IN_BYTES = 65_536;

/** The path of a program. @param except a folder of the PATH that does not count */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv,
  except?: string,
): string | undefined {
  if (name.includes('/')) return [resolve(name)].find(isProgram);
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => resolve(folder) !== except)
    .map((folder) => resolve(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the words that start a program so that it gets SIGINT when this process dies, be it by a kill
 * that nothing can catch. Where the system has no way to do so, the words are the program's own.
 */
export function boundToParent(
  program: string,
  args: readonly string[],
): readonly [program: string, args: string[]] {
  const words = ['--pdeathsig', 'INT', '--', program, ...args];
  return canBind() ? ['setpriv', words] : [program, [...args]];
}

let isAble: boolean | undefined;

/** Linux alone tells a process of its parent's death. */
export function canBind(): boolean {
  isAble ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'INT', 'true'], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    }).status === 0;
  return isAble;
}

/** Holds the text of the private key where no file is named. */
export const KEY_VARIABLE = 'SECURE_CONNECTIVITY_PRIVATE_KEY';

/** Hold the keys of the cloud, for the provider. */
const CLOUD_KEYS = ['VOLCENGINE_ACCESS_KEY', 'VOLCENGINE_SECRET_KEY', 'VOLCENGINE_SESSION_TOKEN'];

/** Commands for which a provider calls the cloud. */
const CALLS_CLOUD = /^(?:plan|apply|destroy|import)$/;

/**
 * Returns the environment of Terraform, and so of its providers, without the secrets that its command has no
 * use for. Terraform runs in the folder of a stack: on its PATH a relative folder, such as an empty entry,
 * would be one of the tree, whose files are not to be run by name.
 */
export function environmentFor(command = '', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = CALLS_CLOUD.test(command) ? [KEY_VARIABLE] : [KEY_VARIABLE, ...CLOUD_KEYS];
  const { PATH } = env;
  const kept = Object.entries(env).filter(([name]) => !secrets.includes(name));
  return { ...Object.fromEntries(kept), ...(PATH !== undefined && { PATH: absolute(PATH) }) };
}

const absolute = (path: string) =>
  path
    .split(delimiter)
    .map((folder) => resolve(folder))
    .join(delimiter);

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';

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

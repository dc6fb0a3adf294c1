import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';

/** Programs that read a Terraform configuration, by the name that people call them by. */
const PROGRAMS = ['terraform', 'tofu'] as const;

export interface StandInFacts {
  /** The sandbox's folder for the programs. */
  readonly folder: string;
  /** Where the sandbox keeps what is Terraform's. */
  readonly terraformFolder: string;
  /** The module that prepares a run and prints the shell command for it. */
  readonly preparation: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Writes programs that stand before the real Terraform and OpenTofu on the PATH: each prepares a
 * folder of the sandbox, and then becomes the real one, so that signals reach that one alone.
 *
 * @returns the variables by which a command finds them
 */
export function writeStandIns({
  folder,
  terraformFolder,
  preparation,
  env,
}: StandInFacts): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const named = env.TERRAFORM_BINARY_NAME || 'terraform';
  for (const name of PROGRAMS) {
    const real = findProgram(name === 'terraform' ? named : name, env, folder);
    if (real === undefined) continue;
    const words = [process.execPath, preparation, terraformFolder, real].map(quote).join(' ');
    const text = `#!/bin/sh\nsteps=$(${words} "$@") || exit $?\neval "$steps"\n`;
    writeWhole(join(folder, name), text, { mode: 0o755 });
  }
  return {
    PATH: [folder, env.PATH ?? ''].join(delimiter),
    TERRAFORM_BINARY_NAME: join(folder, 'terraform'),
  };
}

/** One word of a shell command. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function findProgram(name: string, env: NodeJS.ProcessEnv, own: string): string | undefined {
  if (name.includes('/')) return resolve(name);
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => resolve(folder) !== own)
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

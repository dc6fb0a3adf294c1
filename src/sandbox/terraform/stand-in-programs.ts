import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';
import { findProgram, terraformName } from './installed-terraform.js';

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
  const named = terraformName(env);
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

import { mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';
import { NAMED_PROGRAM } from '../../link/verifier-program.js';
import {
  behindStandIn,
  checkTerraform,
  findProgram,
  STAND_IN,
  terraformName,
} from '../../terraform/program.js';
import type { StandInProviders } from '../provider/stand-in-providers.js';
import type { SandboxFiles } from '../state-folder.js';

export interface TerraformOptions {
  /** A filesystem mirror with the genuine providers. @default - the stand-ins */
  readonly providerMirror?: string | undefined;
  /**
   * True if roots are the user's own: those of the mirror are then other providers, for the stand-ins
   * alone are sure to call no real cloud.
   * @default false
   */
  readonly ownRoots?: boolean;
}

/**
 * Makes what Terraform needs to find its providers without a network, and answers the stand-ins
 * unless a mirror takes their place.
 *
 * @param cloud the `VOLCENGINE_` variables for the provider
 * @throws ConnectivityError `usage.invalid` where Terraform is missing
 */
export async function prepareTerraform(
  files: SandboxFiles,
  { providerMirror, ownRoots = false }: TerraformOptions,
  cloud: NodeJS.ProcessEnv,
): Promise<StandInProviders | undefined> {
  checkTerraform(process.env);
  mkdirSync(files.terraform, { recursive: true });
  const mirror = providerMirror === undefined ? undefined : resolve(providerMirror);
  writeWhole(files.terraformConfiguration, cliConfiguration(mirror), { isDurable: false });
  if (mirror !== undefined && !ownRoots) return undefined;
  // Only this way of giving providers speaks gRPC.
  const { startProviders } = await import('../provider/stand-in-providers.js');
  return startProviders(cloud);
}

/**
 * A Terraform CLI configuration that asks no registry: it knows one mirror, or no provider at all but
 * those to which Terraform is attached. The file has no templates: a path is written as it is.
 */
export function cliConfiguration(mirror?: string): string {
  const path = JSON.stringify(mirror);
  const source = mirror === undefined ? '' : `\n  filesystem_mirror {\n    path = ${path}\n  }\n`;
  return `disable_checkpoint = true\n\nprovider_installation {${source}}\n`;
}

/** Programs that read a Terraform configuration, by the name that people call them by. */
const PROGRAMS = ['terraform', 'tofu'] as const;

/** Tells the stand-in of Terraform that roots run as they are. */
export const OWN_ROOTS = 'own';

/**
 * Writes programs that precede the real Terraform and OpenTofu on the PATH: each prepares a
 * folder of the sandbox, and then becomes the real one, so that signals reach that one alone.
 *
 * @param preparation the module that prepares a run and prints the shell command for it
 * @param own the words that run this package, which roots of the user's own find by its name
 * @returns the variables by which a command finds them
 */
export function writeStandIns(
  { programs: folder, terraform: terraformFolder }: SandboxFiles,
  { preparation, own }: { readonly preparation: string; readonly own?: readonly string[] },
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const roots = own === undefined ? 'json' : OWN_ROOTS;
  const named = terraformName(env);
  for (const name of PROGRAMS) {
    const found = findProgram(name === 'terraform' ? named : name, env, folder);
    if (found === undefined) continue;
    const real = behindStandIn(found);
    const words = [process.execPath, preparation, terraformFolder, roots, real]
      .map(quote)
      .join(' ');
    const text = `${STAND_IN}${real}\nsteps=$(${words} "$@") || exit $?\neval "$steps"\n`;
    writeWhole(join(folder, name), text, { mode: 0o755, isDurable: false });
  }
  if (own !== undefined) {
    const text = `#!/bin/sh\nexec ${own.map(quote).join(' ')} "$@"\n`;
    writeWhole(join(folder, NAMED_PROGRAM), text, { mode: 0o755, isDurable: false });
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

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';
import type { StandInProviders } from '../provider/stand-in-providers.js';
import type { SandboxFiles } from '../state-folder.js';
import { checkTerraform } from './programs.js';

export interface TerraformOptions {
  /** A filesystem mirror with the genuine providers. @default - the stand-ins */
  readonly providerMirror?: string;
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
  { providerMirror }: TerraformOptions,
  cloud: NodeJS.ProcessEnv,
): Promise<StandInProviders | undefined> {
  checkTerraform(process.env);
  mkdirSync(files.terraform, { recursive: true });
  const mirror = providerMirror === undefined ? undefined : resolve(providerMirror);
  writeWhole(files.terraformConfiguration, cliConfiguration(mirror), { isDurable: false });
  if (mirror !== undefined) return undefined;
  // Only this way of giving providers speaks gRPC.
  const { startProviders } = await import('../provider/stand-in-providers.js');
  return startProviders(cloud);
}

/**
 * A Terraform CLI configuration that asks no registry: it knows one mirror, or no provider at all but
 * those to which Terraform is attached.
 */
export function cliConfiguration(mirror?: string): string {
  return `disable_checkpoint = true

provider_installation {${mirror === undefined ? '' : filesystemMirror(mirror)}}
`;
}

function filesystemMirror(folder: string): string {
  return `
  filesystem_mirror {
    path = ${hclString(folder)}
  }
`;
}

function hclString(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

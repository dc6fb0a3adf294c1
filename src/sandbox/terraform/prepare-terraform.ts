import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeWhole } from '../../files/whole-file.js';
import { makeServerCertificate } from '../provider/server-certificate.js';
import type { SandboxFiles } from '../sandbox-files.js';
import { terraformPlatform } from './installed-terraform.js';
import {
  defaultProviderBundle,
  layProviderMirror,
  terraformConfiguration,
} from './provider-mirror.js';

export interface TerraformOptions {
  /** A filesystem mirror with the genuine providers. @default - the stand-ins */
  readonly providerMirror?: string;
  /** The built stand-in providers. @default - where the build puts them */
  readonly providerBundle?: string;
}

/**
 * Makes everything that Terraform needs to find its providers without a network.
 *
 * @throws ConnectivityError `usage.invalid` where Terraform or the stand-ins' bundle are missing
 */
export async function prepareTerraform(
  files: SandboxFiles,
  { providerMirror, providerBundle }: TerraformOptions,
): Promise<void> {
  const platform = await terraformPlatform();
  mkdirSync(files.terraform, { recursive: true });
  if (providerMirror === undefined) {
    layProviderMirror(files.mirror, platform, providerBundle ?? defaultProviderBundle());
    await writeProviderCertificate(files.provider);
  }
  const mirror = providerMirror === undefined ? files.mirror : resolve(providerMirror);
  writeWhole(files.terraformConfiguration, terraformConfiguration(mirror));
}

async function writeProviderCertificate(folder: string): Promise<void> {
  const { cert, key } = await makeServerCertificate();
  mkdirSync(folder, { recursive: true });
  writeWhole(join(folder, 'cert.pem'), cert);
  writeWhole(join(folder, 'key.pem'), key, { mode: 0o600 });
}

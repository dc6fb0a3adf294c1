import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';

const PROVIDERS = [
  CLOUD_PROVIDER,
  { name: 'null', source: 'hashicorp/null', version: '3.2.4' },
] as const;

// Terraform's own name for the place of a provider whose source names no other.
const DEFAULT_HOST = 'registry.terraform.io';

/**
 * Lays out a mirror of the stand-in providers: the one bundle under the name of each.
 *
 * @throws ConnectivityError `usage.invalid` where the bundle was not built
 */
export function layProviderMirror(folder: string, platform: string, bundle: string): void {
  if (!existsSync(bundle)) {
    throw new ConnectivityError(
      'usage.invalid',
      `the stand-in providers are not built, got: no ${bundle}; run \`npm run build\``,
    );
  }
  for (const { name, source, version } of PROVIDERS) {
    const place = join(folder, DEFAULT_HOST, source, version, platform);
    mkdirSync(place, { recursive: true });
    // Node would take `.4` for the file's extension, so it ends in one that Node knows.
    const file = join(place, `terraform-provider-${name}_v${version}.cjs`);
    copyFileSync(bundle, file);
    chmodSync(file, 0o755);
  }
}

/** A Terraform CLI configuration that knows one mirror and nothing else. */
export function terraformConfiguration(mirror: string): string {
  return `disable_checkpoint = true

provider_installation {
  filesystem_mirror {
    path = ${hclString(mirror)}
  }
}
`;
}

/** Where the build puts the bundle of the stand-in providers. */
export function defaultProviderBundle(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return join(folder, 'dist', 'sandbox', 'provider.cjs');
}

function hclString(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

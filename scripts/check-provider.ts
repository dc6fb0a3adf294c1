import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOUD_PROVIDER, PROVIDER_CONFIGURATION, TABLE } from '../src/cloud/table/index.js';
import { differences, type ProviderSchema } from './schema-differences.js';

const folder = mkdtempSync(join(tmpdir(), 'provider-schema-'));
try {
  const found = differences(TABLE, PROVIDER_CONFIGURATION, installedSchema());
  for (const { where, what, breaks = 'nothing' } of found) {
    console.log(`${where} ${what}: breaks ${breaks}`);
  }
  const breaking = found.filter(({ breaks }) => breaks !== undefined).length;
  console.log(
    `${TABLE.length} types compared with ${CLOUD_PROVIDER.source} ${installedVersion()}: ${found.length} differences, ${breaking} of which break something`,
  );
  process.exitCode = breaking === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The schema that the provider itself prints; Terraform finds it as its configuration says. */
function installedSchema(): ProviderSchema {
  const { name, source, versions: version } = CLOUD_PROVIDER;
  const configuration = { terraform: { required_providers: { [name]: { source, version } } } };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(configuration));
  terraform('init', '-input=false');
  const all = JSON.parse(terraform('providers', 'schema', '-json')) as {
    provider_schemas: Record<string, ProviderSchema>;
  };
  const schema = Object.entries(all.provider_schemas).find(([address]) =>
    address.endsWith(`/${source}`),
  )?.[1];
  if (schema === undefined) throw new Error(`Terraform printed no schema for ${source}`);
  return schema;
}

/** The version that Terraform chose within the range. */
function installedVersion(): string {
  const { provider_selections: chosen } = JSON.parse(terraform('version', '-json')) as {
    provider_selections: Record<string, string>;
  };
  return Object.values(chosen)[0] ?? 'of no version';
}

function terraform(...args: string[]): string {
  return execFileSync(
    process.env.TERRAFORM_BINARY_NAME || 'terraform',
    [`-chdir=${folder}`, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

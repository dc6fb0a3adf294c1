import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundleCommandLine } from './bundle-command-line.js';
import { writeJsonSchemas } from './json-schemas.js';
import { thirdPartyLicences } from './third-party-licences.js';

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/sandbox', { recursive: true });

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const [, commands, provider] = await Promise.all([
  library(),
  bundleCommandLine('dist'),
  sandboxProvider(),
  writeJsonSchemas(),
]);
writeLicences('dist/cli/THIRD-PARTY-LICENSES.txt', commands.inputs);
writeLicences('dist/sandbox/THIRD-PARTY-LICENSES.txt', provider.metafile.inputs);

/** The entry points: plain modules with types, which leave their dependencies to npm. */
async function library(): Promise<void> {
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
}

/** The stand-in for Terraform's providers: one file, because a mirror holds one file a provider. */
async function sandboxProvider() {
  const outfile = 'dist/sandbox/provider.cjs';
  const result = await build({
    entryPoints: ['src/sandbox/provider/main.ts'],
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: '#!/usr/bin/env node' },
  });
  chmodSync(outfile, 0o755);
  return result;
}

function writeLicences(file: string, inputs: Metafile['inputs']): void {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, thirdPartyLicences(inputs));
}

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bundleCommandLine } from './bundle-command-line.js';
import { writeJsonSchemas } from './json-schemas.js';
import { thirdPartyLicences } from './third-party-licences.js';

rmSync('dist', { recursive: true, force: true });

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const [, commands] = await Promise.all([library(), bundleCommandLine('dist'), writeJsonSchemas()]);
writeFileSync('dist/cli/THIRD-PARTY-LICENSES.txt', thirdPartyLicences(commands.inputs));

/** The entry points: plain modules with types, which leave their dependencies to npm. */
async function library(): Promise<void> {
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
}

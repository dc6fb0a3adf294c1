import { rmSync, writeFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { bundleCheck, bundleCommandLine } from './bundles.js';
import { writeDeclarations } from './declarations.js';
import { writeJsonSchemas } from './json-schemas.js';
import { buildLibrary } from './library.js';
import { thirdPartyLicences } from './third-party-licences.js';

rmSync('dist', { recursive: true, force: true });

const [library, commands, check] = await Promise.all([
  buildLibrary(),
  bundleCommandLine('dist'),
  bundleCheck('dist'),
  writeJsonSchemas(),
]);
writeDeclarations();
writeLicences('dist', { ...library, ...check.inputs });
writeLicences('dist/cli', commands.inputs);

function writeLicences(folder: string, inputs: Metafile['inputs']): void {
  writeFileSync(`${folder}/THIRD-PARTY-LICENSES.txt`, thirdPartyLicences(inputs));
}

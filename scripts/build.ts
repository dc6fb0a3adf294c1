import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCheck, bundleCommandLine } from './bundles.js';
import { writeDeclarations } from './declarations.js';
import { writeJsonSchemas } from './json-schemas.js';
import { buildLibrary } from './library.js';
import { thirdPartyLicences } from './third-party-licences.js';

// A package has the modes of its files, and is the same whoever builds it.
process.umask(0o022);
rmSync('dist', { recursive: true, force: true });

const [library, commands, check] = await Promise.all([
  buildLibrary(),
  bundleCommandLine('dist'),
  bundleCheck('dist'),
  writeJsonSchemas(),
]);
writeDeclarations();
writeLicences('dist', [...library, ...check]);
writeLicences('dist/cli', commands);

for (const name of packedNames()) share(name);

function packedNames(): string[] {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
  return [...files, 'package.json'];
}

/** Lets everyone read what is packed, as after a checkout under the usual umask. */
function share(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) share(join(path, name));
  } else {
    chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
  }
}

function writeLicences(folder: string, inputs: readonly string[]): void {
  writeFileSync(`${folder}/THIRD-PARTY-LICENSES.txt`, thirdPartyLicences(inputs));
}

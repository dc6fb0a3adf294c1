import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Bom, bundledPackages, shippedParts } from './shipped-parts.js';

// Writes the bill of materials of the package as it was built. Argument: the file.

const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'];
const text = execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};
const licences = ['dist', 'dist/cli'].map((folder) =>
  readFileSync(`${folder}/THIRD-PARTY-LICENSES.txt`, 'utf8'),
);
const bundled = bundledPackages(licences.join('\n'));
const parts = shippedParts(JSON.parse(text) as Bom, Object.keys(dependencies), bundled);
writeFileSync(file, `${JSON.stringify(parts, undefined, 2)}\n`);

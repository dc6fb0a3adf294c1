import { basename } from 'node:path';
import { SCHEMAS } from './json-schemas.js';
import { ENTRIES } from './library.js';

/** Entry points by their folder below `dist`; the package itself, and the constructs for cdktn, included. */
const FOLDERS = [...ENTRIES, 'cdktn'];

/** package.json with the `exports` and `typesVersions` that follow from the entry points and schemas. */
export function manifestText(text: string): string {
  const manifest = {
    ...JSON.parse(text),
    typesVersions: typesVersions(),
    exports: { ...entryExports(), ...schemaExports(), './package.json': './package.json' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function entryExports() {
  return Object.fromEntries(
    FOLDERS.map((folder) => [
      folder === '.' ? '.' : `./${folder}`,
      { import: form('./dist', folder), require: form('./dist/cjs', folder) },
    ]),
  );
}

function form(root: string, folder: string) {
  const file = folder === '.' ? `${root}/index` : `${root}/${folder}/index`;
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

function schemaExports() {
  return Object.fromEntries(
    SCHEMAS.map(([name]) => [`./${basename(name)}.schema.json`, `./dist/${name}.schema.json`]),
  );
}

/** For TypeScript that resolves modules as older versions of Node.js do. */
function typesVersions() {
  const folders = FOLDERS.filter((folder) => folder !== '.');
  const types = folders.map((folder) => [folder, [form('./dist/cjs', folder).types]]);
  return { '*': Object.fromEntries(types) };
}

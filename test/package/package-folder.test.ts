import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';

const SOURCE = pathToFileURL(join(process.cwd(), 'src/package/package-folder.ts')).href;
const TSX = pathToFileURL(join(process.cwd(), 'node_modules/tsx/dist/esm/index.mjs')).href;

function folderSeenFrom(project: string): string {
  const program = `import { packageFolderOfProject } from '${SOURCE}'; process.stdout.write(packageFolderOfProject());`;
  return execFileSync('node', ['--import', TSX, '--input-type=module', '-e', program], {
    cwd: project,
    encoding: 'utf8',
  });
}

test('a project names a linked package through its own node_modules, in every checkout alike', async () => {
  const project = realpathSync(await temporaryFolder());
  mkdirSync(join(project, 'node_modules'));
  mkdirSync(join(project, 'stacks'));
  const linked = join(project, 'node_modules/cdktf-secure-connectivity');
  symlinkSync(process.cwd(), linked);
  expect(folderSeenFrom(project)).toBe(linked);
  expect(folderSeenFrom(join(project, 'stacks'))).toBe(linked);
});

test('another package of the same name in the project is not taken for this one', async () => {
  const project = realpathSync(await temporaryFolder());
  mkdirSync(join(project, 'node_modules/cdktf-secure-connectivity'), { recursive: true });
  expect(folderSeenFrom(project)).toBe(process.cwd());
});

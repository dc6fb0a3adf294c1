import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestText } from '../../scripts/manifest.js';

let folder: string;
let unpacked: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    stdio: 'ignore',
  });
  const [tarball = ''] = readdirSync(folder);
  execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  unpacked = join(folder, 'package');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const files = (ending: string) =>
  readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(ending),
  );

const MiB = 1024 * 1024;

/** The space on a disk with blocks of 4 KiB. */
function diskUse(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).length)
    .reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

test('the package and what npm installs with it need less than 15 MB', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const installed = Object.keys(dependencies).map((name) => {
    const own = join('node_modules', name);
    // Else the sum would leave something out.
    expect(JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))).not.toHaveProperty(
      'dependencies',
    );
    return diskUse(own);
  });
  const total = [diskUse(unpacked), ...installed].reduce((sum, size) => sum + size, 0);
  expect(total / MiB).toBeGreaterThan(5);
  expect(total / MiB).toBeLessThan(15);
});

test('types need no package that npm does not install', () => {
  const known = ['cdktf', 'cdktn', 'constructs', '@cdktf/provider-null', 'undici', 'jose'];
  const imported = files('.d.ts').flatMap((file) =>
    [
      ...readFileSync(join(unpacked, file), 'utf8').matchAll(
        /(?:from |import\()['"]([^'".][^'"]*)/g,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('node:') && !known.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(files('.d.ts').length).toBeGreaterThan(50);
  expect(imported).toEqual([]);
});

test('types do not spell out the table of resource types', () => {
  const table = files('.d.ts').filter((file) => file.includes('cloud/table/'));
  // The patterns of names are a few lines.
  expect(table.filter((file) => !file.endsWith('/names.d.ts'))).toEqual([]);
});

describe('the documents of the package lead nowhere that only a clone has', () => {
  test('every link to a file leads to a file of the package', () => {
    const documents = files('.md');
    expect(documents).toContain('README.md');
    const broken = documents.flatMap((document) =>
      [...readFileSync(join(unpacked, document), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target.replace(/#.*/, ''))
        .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(unpacked, dirname(document), target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('no command is a script of the repository, but where the document says so', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const names = Object.keys(scripts);
    const command = new RegExp(`npm (run )?(${names.join('|')})\\b|(tsx|node) (scripts|test)/`);
    // A project that `init` makes has scripts of its own.
    const isOfProject = (file: string) =>
      /^(shipped\/template\/|docs\/first-deploy\.md)/.test(file);
    const documents = files('.md').filter((file) => !isOfProject(file));
    const found = documents.flatMap((document) =>
      readFileSync(join(unpacked, document), 'utf8')
        .replace(/In a clone of the repository:\n\n```[^`]*```/, '')
        .split('\n')
        .filter((line) => command.test(line))
        .map((line) => `${document}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});

test('package.json exports the entry points and schemas that are built: npm run docs', () => {
  const text = readFileSync('package.json', 'utf8');
  expect(text).toBe(manifestText(text));
});

test('npm has no script of the package to warn of when it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const warned = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(warned.filter((name) => name in scripts)).toEqual([]);
  expect(existsSync(join(unpacked, 'binding.gyp'))).toBe(false);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Bom, bundledPackages } from '../../scripts/shipped-parts.js';
import { temporaryFolder } from '../support/cleanup.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: readonly string[];
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const text = readFileSync('.github/workflows/publish.yml', 'utf8');
const workflow = parse(text) as {
  permissions: object;
  jobs: { gates: Job; versions: Job; publish: Job };
};
const { gates, versions, publish } = workflow.jobs;
const scriptOf = ({ steps }: Job) => steps.map(({ run = '' }) => run).join('\n');

/** Each action with its commit and version, in a file. */
function actionsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => /^\s*(- )?uses:/.test(line))
    .map((line) => line.replace(/.*uses: /, ''));
}

describe('the workflow that publishes', () => {
  test('pins each action by the commit that the templates use, with the version beside it', () => {
    const templates = [
      'action.yml',
      ...readdirSync('shipped/ci-templates/github').map(
        (one) => `shipped/ci-templates/github/${one}`,
      ),
    ];
    const known = new Set(templates.flatMap(actionsIn));
    const used = actionsIn('.github/workflows/publish.yml');
    expect(used.length).toBeGreaterThan(4);
    for (const action of used) {
      expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      expect(known).toContain(action);
    }
  });

  test('publishes with provenance what the gates have packed, and runs no code of packages beside it', () => {
    expect(publish).toMatchObject({ needs: ['gates', 'versions'], environment: 'npm' });
    expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(scriptOf(publish).trim()).toBe(
      'npm publish --ignore-scripts --provenance --access public ./release/*.tgz',
    );
  });

  test('the gates may write nothing, and no expression or secret gets into a script', () => {
    expect(workflow.permissions).toEqual({});
    expect(gates.permissions).toEqual({ contents: 'read' });
    expect(versions.permissions).toEqual({ contents: 'read' });
    for (const job of [gates, versions, publish]) expect(scriptOf(job)).not.toContain('${{');
    expect(text.match(/\$\{\{[^}]*\}\}/g)).toEqual(['${{ matrix.node }}']);
    expect(text).not.toContain('secrets.');
  });

  test('runs the demo and the tests on each newer version of Node.js', () => {
    expect(versions.strategy?.matrix.node).toEqual(['22', '24', '26']);
    expect(scriptOf(versions)).toMatch(/npm run demo\nnpm test$/);
  });

  test('has each gate, in programs that exist', () => {
    const script = scriptOf(gates);
    for (const gate of [
      'npm audit',
      'npm run lint',
      'npm run docs',
      'git diff --exit-code',
      'npm test',
      '.ci/name-action.mjs',
      '.ci/package',
      'scripts/sbom.ts',
    ]) {
      expect(script).toContain(gate);
    }
    const checked = readFileSync('.ci/package', 'utf8');
    expect(checked).toMatch(/publint@[\d.]+ --strict/);
    expect(checked).toMatch(/@arethetypeswrong\/cli@[\d.]+ /);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const [, name = ''] of script.matchAll(/npm run ([\w:]+)/g)) {
      expect(Object.keys(scripts)).toContain(name);
    }
  });
});

describe('what a release lacks is named', () => {
  async function problems(tag: string, manifest: object, changelog: string) {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    const args = [resolve('.ci/release-problems.mjs'), tag, 'owner/name'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, stderr };
  }
  const repository = { url: 'git+https://github.com/owner/name.git' };

  test('nothing, where tag, changelog and repository fit', async () => {
    const manifest = { version: '1.2.3', repository };
    expect(await problems('v1.2.3', manifest, '# Changelog\n\n## 1.2.3\n')).toEqual({
      status: 0,
      stderr: '',
    });
  });

  test.each([
    ['another tag', 'v1.2.4', { version: '1.2.3', repository }, 'the tag must be v1.2.3'],
    ['no repository', 'v1.2.3', { version: '1.2.3' }, '`repository` of package.json must be'],
    [
      'a repository of another',
      'v1.2.3',
      { version: '1.2.3', repository: { url: 'https://github.com/other/owner/name2' } },
      '`repository` of package.json must be',
    ],
    ['a version without a section', 'v2.0.0', { version: '2.0.0', repository }, '## 2.0.0'],
  ])('%s', async (_, tag, manifest, message) => {
    const { status, stderr } = await problems(tag, manifest, '## 1.2.3\n');
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

test('the templates of a release call the action of its repository at its commit', async () => {
  const folder = await temporaryFolder();
  cpSync('shipped/ci-templates', join(folder, 'shipped/ci-templates'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  const nameAction = (...args: readonly string[]) =>
    spawnSync(process.execPath, [resolve('.ci/name-action.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(nameAction('owner/name', 'main')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('got: owner/name main'),
  });
  const commit = '0123456789'.repeat(4);
  expect(nameAction('owner/name', commit)).toMatchObject({ status: 0, stderr: '' });
  const texts = readdirSync(join(folder, 'shipped'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yml'))
    .map((name) => readFileSync(join(folder, 'shipped', name), 'utf8'))
    .join('\n');
  expect(texts).not.toMatch(/your-organization|0{40}|zeros/);
  expect(texts.split(`uses: owner/name@${commit} # v`).length).toBeGreaterThan(9);
});

test('the bill of materials has what is installed and what is bundled, and nothing else', async () => {
  const folder = await temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sbom.cdx.json');
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/sbom.ts', file], { stdio: 'ignore' });
  const { components, dependencies } = JSON.parse(readFileSync(file, 'utf8')) as Bom;
  const names = components.map(({ name }) => name);
  for (const name of ['jose', 'undici', 'zod', 'commander']) expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', 'cdktf-cli']) expect(names).not.toContain(name);
  const licences = readFileSync('dist/cli/THIRD-PARTY-LICENSES.txt', 'utf8');
  const found = new Set(components.map(({ name, version }) => `${name}@${version}`));
  for (const one of bundledPackages(licences)) expect(found).toContain(one);
  const refs = new Set(components.map((one) => one['bom-ref']));
  const [root, ...others] = dependencies;
  expect(new Set(root?.dependsOn)).toEqual(refs);
  expect(others.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
});

test('the package has the words by which it is found', () => {
  const { keywords } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(keywords).toEqual(expect.arrayContaining(['cdktf', 'terraform', 'private-link']));
});

test('the settings of Renovate and of the container are JSON', () => {
  for (const file of ['.github/renovate.json', '.devcontainer/devcontainer.json']) {
    expect(() => JSON.parse(readFileSync(file, 'utf8'))).not.toThrow();
  }
});

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Consumer, ES_MODULES, projectFile } from './support/consumer.js';

const PACKAGES = [
  'cdktf@0.21',
  'cdktf-cli@0.21',
  '@cdktf/provider-null@11',
  'constructs@10.8',
  'typescript@5.9',
  'typescript6@npm:typescript@6',
  'typescript7@npm:typescript@7',
  'ts-node@10',
  'tsx@4',
  'jest@29',
  'ts-jest@29',
  '@types/jest@29',
  '@types/node@20',
  'esbuild@0.28',
];

/** They ask for modules of Node.js by `require`, which a file of ES modules has not. */
const CJS_LIBRARIES = ['cdktf', 'constructs', '@cdktf/*'];

const consumer = new Consumer();
beforeAll(() => consumer.install(PACKAGES), 300_000);
afterAll(() => consumer.stop());

async function expectDeploy(folder: string): Promise<void> {
  const { status, output } = await consumer.deploy(folder);
  expect(status, output).toBe(0);
  expect(output).toMatch(/reachable in [\d.]+ m?s/);
  expect(output).toContain('Apply complete!');
}

describe("the project that cdktf's template makes: CommonJS, ts-node, Jest", () => {
  let folder: string;
  beforeAll(() => {
    folder = consumer.project('template', {});
    const template = join(consumer.folder, 'node_modules/cdktf-cli/bundle/templates/typescript');
    for (const file of ['package.json', 'tsconfig.json', 'jest.config.js', 'setup.js']) {
      cpSync(join(template, file), join(folder, file));
    }
    cpSync('test/heavy/projects/jest.ts', join(folder, '__tests__', 'main-test.ts'));
    writeFileSync(join(folder, 'cdktf.json'), projectFile('npx ts-node main.ts'));
    const main = readFileSync(join(folder, 'main.ts'), 'utf8');
    writeFileSync(join(folder, 'main.ts'), main.replace('./stack.js', './stack'));
  });

  test('its types are found in the old way, and so are those of every library', async () => {
    const { status, output } = await consumer.run(folder, 'tsc', ['--noEmit']);
    expect(output).toBe('');
    expect(status).toBe(0);
  });

  test('its tests pass in Jest', async () => {
    const { status, output } = await consumer.run(folder, 'jest', []);
    expect(status, output).toBe(0);
    expect(output).toContain('3 passed');
  });

  test('it deploys, and the check passes', () => expectDeploy(folder));
});

describe('a project of ES modules', () => {
  let folder: string;
  beforeAll(() => {
    folder = consumer.project('nodenext', ES_MODULES);
  });

  test.each([
    ['5.9', 'typescript'],
    ['6', 'typescript6'],
    ['7', 'typescript7'],
  ])('its types are right for TypeScript %s, those of the package included', async (_, name) => {
    const tsc = join(consumer.folder, 'node_modules', name, 'bin', 'tsc');
    const { status, output } = await consumer.run(folder, 'node', [tsc, '--noEmit']);
    const ours = output.split('\n').filter((line) => line.includes('secure-connectivity'));
    expect(ours).toEqual([]);
    expect(output).toBe('');
    expect(status).toBe(0);
  });

  test('it deploys, and the check passes', () => expectDeploy(folder));
});

describe('a project whose app is bundled', () => {
  let folder: string;
  beforeAll(() => {
    folder = consumer.project('bundled', { 'cdktf.json': projectFile('node app.cjs') });
  });

  const bundle = (...options: string[]) =>
    consumer.run(folder, 'esbuild', ['main.ts', '--bundle', '--platform=node', ...options]);

  test('it deploys from one file of CommonJS, and the check passes', async () => {
    const { status, output } = await bundle('--outfile=app.cjs');
    expect(status, output).toBe(0);
    await expectDeploy(folder);
  });

  test('one file of ES modules synthesizes the same', async () => {
    const deployed = consumer.synthesized(folder);
    rmSync(join(folder, 'cdktf.out'), { recursive: true });
    const options = ['--format=esm', ...CJS_LIBRARIES.map((name) => `--external:${name}`)];
    const { status, output } = await bundle('--outfile=app.mjs', ...options);
    expect(status, output).toBe(0);
    expect(await consumer.synth(folder, 'app.mjs')).toEqual(deployed);
  });
});

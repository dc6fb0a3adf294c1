import { existsSync } from 'node:fs';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { UNDICI_CLIENT } from '../scripts/bundles.js';
import { COMMANDS } from '../src/cli/run.js';

/** The files at which each entry point begins, and each command with the part of it that is loaded at once. */
const ENTRIES = {
  '.': 'src/index.ts',
  service: 'src/service/index.ts',
  verify: 'src/verify/index.ts',
  link: 'src/link/index.ts',
  settings: 'src/settings/index.ts',
  review: 'src/review/index.ts',
} as const;

const PROGRAM = {
  main: 'src/cli/main.ts',
  run: 'src/cli/run.ts',
  'verify (links)': 'src/cli/verify/verify-links.ts',
  'verify (targets)': 'src/cli/verify/verify-targets.ts',
} as const;

/** Each command, and the commands within commands: what help and wrong usage load. */
const HEADS = [...Object.keys(COMMANDS).filter((name) => name !== 'destroy'), 'sandbox/plugin'].map(
  (name) => [name, commandFile(name)] as const,
);

/** A command of several files is in the one that its folder is named for. */
function commandFile(name: string): string {
  const files = [`src/cli/${name}.ts`, `src/cli/${name}/${name}.ts`];
  return files.find((file) => existsSync(file)) ?? `no file of ${name}`;
}

let inputs: Metafile['inputs'];
let outputs: Metafile['outputs'];

beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: [
      ...Object.values(ENTRIES),
      ...Object.values(PROGRAM),
      ...HEADS.map(([, file]) => file),
    ],
    outdir: 'unused',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'error',
    external: ['cdktf', 'constructs', '@cdktf/*'],
    plugins: [UNDICI_CLIENT],
  });
  ({ inputs, outputs } = metafile);
});

/** Lists what loads with a file: everything that it imports, but not what it imports only later. */
function loadedWith(file: string): { packages: string[]; parts: string[]; files: string[] } {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name !== undefined) packages.add(name);
    for (const { path: next, kind, external } of inputs[path]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (!external) visit(next);
      else if (!next.startsWith('node:')) packages.add(next);
    }
  };
  visit(file);
  const own = [...seen].filter((path) => path.startsWith('src/'));
  const parts = new Set(
    own.map((path) => path.split('/')[1] ?? '').filter((name) => !name.endsWith('.ts')),
  );
  return { packages: [...packages].sort(), parts: [...parts].sort(), files: own };
}

describe('an entry point loads its own part of the package and nothing beside', () => {
  test('. has cdktf, and no client', () => {
    const { packages, parts } = loadedWith(ENTRIES['.']);
    expect(packages).toEqual(expect.arrayContaining(['cdktf', 'constructs']));
    expect(packages).not.toEqual(expect.arrayContaining(['undici']));
    for (const part of ['service', 'verify', 'sandbox', 'cli', 'review', 'render']) {
      expect(parts).not.toContain(part);
    }
  });

  test('service signs, calls and reads streams with its packages, and has no schema library', () => {
    const { packages, parts } = loadedWith(ENTRIES.service);
    expect(packages).toEqual(['eventsource-parser', 'jose', 'undici']);
    expect(parts.filter((part) => !['codes', 'files', 'net', 'package'].includes(part))).toEqual([
      'service',
    ]);
  });

  test('verify has what the check needs, and nothing of cdktf or the sandbox', () => {
    const { packages, parts } = loadedWith(ENTRIES.verify);
    expect(packages).toEqual(['jose', 'undici', 'zod']);
    expect(parts).toEqual([
      'codes',
      'files',
      'link',
      'lists',
      'net',
      'package',
      'report',
      'service',
      'verify',
    ]);
  });

  test('review has nothing of cdktf, of the check or of the sandbox', () => {
    const { packages, parts } = loadedWith(ENTRIES.review);
    expect(packages).toEqual(['zod']);
    for (const part of ['constructs', 'service', 'verify', 'sandbox', 'cli']) {
      expect(parts).not.toContain(part);
    }
  });

  test.each([
    ['link', ['link']],
    ['settings', ['settings']],
  ] as const)('%s has zod alone', (name, own) => {
    const { packages, parts } = loadedWith(ENTRIES[name]);
    expect(packages).toEqual(['zod']);
    expect(
      parts.filter(
        (part) => !['cloud', 'codes', 'files', 'intents', 'lists', 'net', 'package'].includes(part),
      ),
    ).toEqual(own);
  });
});

describe('a command loads what it needs when it needs it', () => {
  test('the program itself begins with nothing, and knows its commands by name only', () => {
    expect(loadedWith(PROGRAM.main).files).toEqual(['src/cli/main.ts']);
    expect(loadedWith(PROGRAM.run).packages).toEqual([]);
    expect(loadedWith(PROGRAM.run).files.length).toBeLessThan(5);
  });

  test.each(
    HEADS,
  )('%s reads its arguments with the reader of the command line alone', (_, file) => {
    const { packages, parts, files } = loadedWith(file);
    expect(packages).toEqual(['commander']);
    for (const part of ['service', 'cloud', 'constructs', 'settings', 'review']) {
      expect(parts).not.toContain(part);
    }
    const needsCodes = file === 'src/cli/explain.ts';
    expect(files.includes('src/codes/codes.ts')).toBe(needsCodes);
  });

  test.each([
    'verify (links)',
    'verify (targets)',
  ] as const)('%s loads no other command', (name) => {
    const { packages, parts } = loadedWith(PROGRAM[name]);
    for (const other of packages) {
      expect(['commander', 'jose', 'undici', 'zod']).toContain(other);
    }
    for (const part of ['sandbox', 'cloud', 'constructs', 'settings', 'review', 'render']) {
      expect(parts).not.toContain(part);
    }
  });

  test('the schema library comes without the languages of its messages', () => {
    const languages = Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).filter(
        ([file, { bytesInOutput }]) => /zod\/v4\/locales\/\w/.test(file) && bytesInOutput > 0,
      ),
    );
    expect(languages.map(([file]) => file)).toEqual(['node_modules/zod/v4/locales/en.js']);
  });

  test.each([
    'verify (links)',
    'verify (targets)',
  ] as const)('%s loads no report and no schema of reports before it is asked for', (name) => {
    const { files } = loadedWith(PROGRAM[name]);
    const early = files.filter((file) =>
      /^src\/verify\/(reports|model\/(verification|results)\.ts)/.test(file),
    );
    expect(early).toEqual([]);
  });

  test('the client of undici alone speaks HTTP, in the check, in token and in the client', () => {
    const own = Object.entries(inputs).filter(([file]) =>
      /^src\/(service|verify|cli\/(token|verify))\//.test(file),
    );
    const imported = own.flatMap(([, { imports }]) => imports.map(({ path }) => path));
    expect(imported).toContain('scripts/undici-client.js');
    // Its entry would bring fetch, WebSocket and caches too, which take longer than a check.
    for (const path of ['node_modules/undici/index.js', 'node:http', 'node:https', 'node:http2']) {
      expect(imported).not.toContain(path);
    }
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleCommandLine } from '../../scripts/bundles.js';
import { thirdPartyLicences } from '../../scripts/third-party-licences.js';
import { createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

let folder: string;
let licences: string;

beforeAll(async () => {
  // Inside the package, whose `type` says what the files are.
  folder = await mkdtemp('node_modules/.bundle-');
  licences = thirdPartyLicences(await bundleCommandLine(folder));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(...args: string[]): Promise<{ exit: unknown; stdout: string; stderr: string }> {
  return runWith('main.js', {}, ...args);
}

function runWith(
  source: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ exit: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(folder, 'cli', source), ...args],
      { env: { PATH: process.env.PATH, ...environment } },
      (error, stdout, stderr) => resolve({ exit: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('the bundled program checks a link and many', async () => {
  const world = await createWorld();
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  const { exit, stdout } = await run('verify', ...flags, ...worldFlags(world), '--format', 'json');
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'reachable' });
});

test('a check loads its parts in few files, and help loads no client', async () => {
  const world = await createWorld();
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost];
  const check = await filesLoadedBy('verify', ...flags, ...worldFlags(world));
  expect(check.some((file) => file.startsWith('client-'))).toBe(true);
  expect(check.length).toBeLessThan(20);
  const help = await filesLoadedBy('verify', '--help');
  expect(help.filter((file) => /^(client|zod|check|codes)-/.test(file))).toEqual([]);
  expect(help.length).toBeLessThan(8);
});

test('what runs before each run of Terraform in a sandbox is one file', async () => {
  const loaded = await filesLoadedBySource(
    'sandbox-terraform.js',
    folder,
    '',
    'terraform',
    'version',
  );
  expect(loaded).toEqual(['sandbox-terraform.js']);
  const refused = await runWith('sandbox-terraform.js', {}, folder, '', 'terraform', 'frob');
  expect(refused).toMatchObject({ exit: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^secure-connectivity: Terraform's command .* got: "frob"\n$/);
});

const filesLoadedBy = (...args: string[]) => filesLoadedBySource('main.js', ...args);

/** By the coverage that V8 itself writes of a process. */
async function filesLoadedBySource(source: string, ...args: string[]): Promise<string[]> {
  const coverage = await mkdtemp(join(tmpdir(), 'loaded-'));
  try {
    const { exit, stderr } = await runWith(source, { NODE_V8_COVERAGE: coverage }, ...args);
    expect([exit, stderr]).toEqual([0, '']);
    const [report = ''] = await readdir(coverage);
    const { result } = JSON.parse(await readFile(join(coverage, report), 'utf8')) as {
      result: { url: string }[];
    };
    return result.flatMap(({ url }) => /\/cli\/([^/]+\.js)$/.exec(url)?.[1] ?? []);
  } finally {
    await rm(coverage, { recursive: true });
  }
}

test('wrong usage of any command ends with one line and exit 2', async () => {
  const runs = await Promise.all([
    run('verify'),
    run('verify', '--targets', '/no/such/file'),
    run('verify', '--format', 'json', '--format', 'html', '--base-url', 'x'),
    run('explain', 'nonsense'),
    run('verify', '--from', '/no/such/file'),
  ]);
  expect(runs.map(({ exit }) => exit)).toEqual([2, 2, 2, 2, 2]);
  for (const { stderr } of runs) {
    expect(stderr).toMatch(/^secure-connectivity: .*`/);
    expect(stderr).not.toContain('internal.bug');
    expect(stderr).not.toContain('    at ');
  }
});

test('the licences of what is bundled come with it', () => {
  for (const name of ['commander', 'jose', 'undici', 'zod']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'));
  }
});

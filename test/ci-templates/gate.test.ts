import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { type ForgeState, startForge } from './forge-server.js';
import { run } from './run.js';

const GATE = fileURLToPath(new URL('../../ci-templates/gate.mjs', import.meta.url));
const LABEL = 'connectivity-approved';

async function gate(
  env: Record<string, string>,
  report: string,
  status: number | string,
  ...more: string[]
) {
  const file = join(await temporaryFolder(), 'review.md');
  await writeFile(file, report);
  return await run(process.execPath, [GATE, file, String(status), ...more], { env });
}

describe.each(['github', 'gitlab'] as const)('on %s', (name) => {
  const start = async (initial: Partial<ForgeState> = {}) => {
    const forge = await startForge(initial);
    return { state: forge.state, env: forge[name] };
  };

  test('one comment is written, and brought up to date', async () => {
    const { state, env } = await start();
    expect(await gate(env, '# WIDENS 0\n', 0)).toMatchObject({ status: 0, stdout: '' });
    expect(await gate(env, '# WIDENS 0 · NARROWS 1\n', 0)).toMatchObject({ status: 0 });
    const [only, ...others] = state.comments;
    expect(others).toEqual([]);
    expect(only?.body).toMatch(
      /^<!-- secure-connectivity review [0-9a-f]{64} -->\n# WIDENS 0 · NARROWS 1\n$/,
    );
  });

  test('what widens needs the label, and the label counts for the report that it was set on', async () => {
    const { state, env } = await start();
    const asked = await gate(env, 'WIDENS 1\n', 3);
    expect([asked.status, asked.stderr]).toEqual([
      3,
      expect.stringContaining(`set the label ${LABEL}`),
    ]);
    state.labels.add(LABEL);
    expect((await gate(env, 'WIDENS 1\n', 3)).status).toBe(0);
    const widened = await gate(env, 'WIDENS 2\n', 3);
    expect([widened.status, widened.stderr]).toEqual([3, expect.stringContaining('was taken off')]);
    expect([...state.labels]).toEqual([]);
  });

  test('a label that was there before any report approves nothing', async () => {
    const { state, env } = await start({ labels: new Set([LABEL, 'other']) });
    expect((await gate(env, 'WIDENS 1\n', 3)).status).toBe(3);
    expect([...state.labels]).toEqual(['other']);
  });

  test('a comment of somebody else with the same mark is not taken for ours', async () => {
    const first = await start();
    await gate(first.env, 'WIDENS 1\n', 3);
    const [ours] = first.state.comments;
    const forged = { id: 1, body: ours?.body ?? '', author: 'somebody' };
    const { state, env } = await start({ comments: [forged], labels: new Set([LABEL]) });
    expect((await gate(env, 'WIDENS 1\n', 3)).status).toBe(3);
    expect(state.comments.map(({ author }) => author)).toEqual(['somebody', ours?.author]);
  });

  test('our comment is found behind a hundred others', async () => {
    const others = Array.from({ length: 130 }, (_, id) => ({ id, body: 'x', author: 'somebody' }));
    const { state, env } = await start({ comments: others });
    await gate(env, 'one\n', 0);
    await gate(env, 'two\n', 0);
    expect(state.comments).toHaveLength(131);
  });

  test('what is forbidden stays so under the label', async () => {
    const { state, env } = await start();
    await gate(env, 'FORBIDDEN\n', 4);
    state.labels.add(LABEL);
    expect((await gate(env, 'FORBIDDEN\n', 4)).status).toBe(4);
  });

  test('a job that may not write prints the report and lets nothing wider through', async () => {
    const { env } = await start({ refusal: 403 });
    const wider = await gate(env, 'WIDENS 1\n', 3);
    expect(wider).toMatchObject({ status: 3, stdout: 'WIDENS 1\n' });
    expect(wider.stderr).toContain('may not comment');
    expect(`${wider.stdout}${wider.stderr}`).not.toContain('secret');
    expect((await gate(env, 'same\n', 0)).status).toBe(0);
  });

  test('a failure of the forge fails the job', async () => {
    const { env } = await start({ refusal: 500 });
    expect((await gate(env, 'same\n', 0)).status).not.toBe(0);
  });

  test('a report that is too long for a comment says so', async () => {
    const { state, env } = await start();
    await gate(env, `${'a line\n'.repeat(10_000)}`, 0);
    const [{ body } = { body: '' }] = state.comments;
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain('TRUNCATED');
  });
});

test('a review that failed fails the gate, whatever it wrote', async () => {
  const { github, state } = await startForge();
  expect((await gate(github, 'x', 70)).status).toBe(70);
  expect((await gate(github, 'x', '')).status).toBe(2);
  expect(state.requests).toEqual([]);
});

test('outside a change request the report is printed, and what widens is not let through', async () => {
  expect(await gate({}, 'WIDENS 1\n', 3)).toMatchObject({ status: 3, stdout: 'WIDENS 1\n' });
});

test('the report is put into the summary of the job', async () => {
  const summary = join(await temporaryFolder(), 'summary.md');
  await gate({ GITHUB_STEP_SUMMARY: summary }, '# report\n', 0);
  expect(await readFile(summary, 'utf8')).toBe('# report\n');
});

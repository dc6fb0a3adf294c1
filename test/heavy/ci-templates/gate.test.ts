import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import { run } from '../../ci-templates/run.js';
import { temporaryFolder } from '../../support/cleanup.js';

const GATE = fileURLToPath(new URL('../../../shipped/ci-templates/gate.mjs', import.meta.url));
const LABEL = 'connectivity-approved';

/** The JSON report is the Markdown's own text unless given. */
async function gate(
  env: Record<string, string>,
  markdown: string,
  status: number | string,
  json = JSON.stringify(markdown),
) {
  const folder = await temporaryFolder();
  const files = [join(folder, 'review.md'), join(folder, 'review.json')] as const;
  await writeFile(files[0], markdown);
  await writeFile(files[1], json);
  return await run(process.execPath, [GATE, ...files, String(status)], { env });
}

describe.each(['github', 'gitlab'] as const)('on %s', (name) => {
  const start = async () => {
    const forge = await startForge();
    return { state: forge.state, env: forge[name] };
  };

  test('one comment is written, and brought up to date', async () => {
    const { state, env } = await start();
    expect(await gate(env, '# NO CHANGE\n', 0)).toMatchObject({ status: 0, stdout: '' });
    expect(await gate(env, '# NARROWER: a\n', 0)).toMatchObject({ status: 0 });
    const [only, ...others] = state.comments;
    expect(others).toEqual([]);
    expect(only?.body).toMatch(
      /^<!-- secure-connectivity review [0-9a-f]{64} -->\n# NARROWER: a\n$/,
    );
  });

  test('what needs approval needs the label, which counts for the report that it was set on', async () => {
    const { state, env } = await start();
    const asked = await gate(env, 'NEEDS APPROVAL: a\n', 3);
    expect([asked.status, asked.stderr]).toEqual([
      3,
      expect.stringContaining(`must set the label ${LABEL}`),
    ]);
    state.setLabel(LABEL);
    expect(await gate(env, 'NEEDS APPROVAL: a\n', 3)).toMatchObject({ status: 0 });
    expect(await gate(env, 'NEEDS APPROVAL: a\n', 3)).toMatchObject({ status: 0 });
    const changed = await gate(env, 'NEEDS APPROVAL: b\n', 3);
    expect([changed.status, changed.stderr]).toEqual([3, expect.stringContaining('has changed')]);
    expect([...state.labels]).toEqual([]);
  });

  test('two changes with the same truncated Markdown need an approval each', async () => {
    const { state, env } = await start();
    const markdown = `TRUNCATED ${'a line\n'.repeat(9_000)}`;
    await gate(env, markdown, 3, '{"changes":["10.0.0.0/8"]}');
    state.setLabel(LABEL);
    expect((await gate(env, markdown, 3, '{"changes":["10.0.0.0/8"]}')).status).toBe(0);
    expect((await gate(env, markdown, 3, '{"changes":["0.0.0.0/0"]}')).status).toBe(3);
    expect([...state.labels]).toEqual([]);
  });

  test('a label that was there before any report approves nothing', async () => {
    const { state, env } = await start();
    state.setLabel('other');
    state.setLabel(LABEL);
    expect((await gate(env, 'NEEDS APPROVAL: a\n', 3)).status).toBe(3);
    expect([...state.labels]).toEqual(['other']);
  });

  test.each([
    ['the author', { login: 'author', type: 'User' }, 'the author of the change set it'],
    ['a program', { login: 'github-actions[bot]', type: 'Bot' }, 'a program set it'],
  ] as const)('a label set by %s approves nothing', async (_, by, why) => {
    const { state, env } = await start();
    await gate(env, 'NEEDS APPROVAL: a\n', 3);
    state.setLabel(LABEL, by);
    const ended = await gate(env, 'NEEDS APPROVAL: a\n', 3);
    expect([ended.status, ended.stderr]).toEqual([3, expect.stringContaining(why)]);
    expect([...state.labels]).toEqual([]);
    state.setLabel(LABEL);
    expect((await gate(env, 'NEEDS APPROVAL: a\n', 3)).status).toBe(0);
  });

  test('the last one who set the label counts, and an account that is gone does not', async () => {
    const { state, env } = await start();
    await gate(env, 'NEEDS APPROVAL: a\n', 3);
    state.setLabel(LABEL);
    state.removeLabel(LABEL, state.author);
    state.setLabel(LABEL, state.author);
    expect((await gate(env, 'NEEDS APPROVAL: a\n', 3)).status).toBe(3);
    state.labels.add(LABEL);
    state.labelEvents.push({ label: LABEL, action: 'add', at: state.now() });
    const gone = await gate(env, 'NEEDS APPROVAL: a\n', 3);
    expect([gone.status, gone.stderr]).toEqual([3, expect.stringContaining('does not say who')]);
  });

  test('a label that is older than the comment approves nothing, whatever the comment says', async () => {
    const { state, env } = await start();
    await gate(env, 'NEEDS APPROVAL: a\n', 3);
    state.setLabel(LABEL);
    Object.assign(state.comments[0] ?? {}, { updatedAt: state.now() });
    const ended = await gate(env, 'NEEDS APPROVAL: a\n', 3);
    expect([ended.status, ended.stderr]).toEqual([3, expect.stringContaining('older than')]);
  });

  test('a comment of another account with the same mark does not count', async () => {
    const first = await start();
    await gate(first.env, 'NEEDS APPROVAL: a\n', 3);
    const [genuine] = first.state.comments;
    const { state, env } = await start();
    state.comment('stranger', genuine?.body ?? '');
    state.setLabel(LABEL);
    expect((await gate(env, 'NEEDS APPROVAL: a\n', 3)).status).toBe(3);
    expect(state.comments.map(({ author }) => author)).toEqual(['stranger', genuine?.author]);
  });

  test('the comment and the last label are found behind a hundred others', async () => {
    const { state, env } = await start();
    for (let i = 0; i < 65; i += 1) {
      state.comment('stranger', 'x');
      state.setLabel(LABEL, state.author);
      state.removeLabel(LABEL, state.author);
    }
    await gate(env, 'one\n', 3);
    for (let i = 0; i < 65; i += 1) state.comment('stranger', 'x');
    state.setLabel(LABEL);
    expect((await gate(env, 'one\n', 3)).status).toBe(0);
    expect(state.comments).toHaveLength(131);
  });

  test('what is forbidden stays so under the label', async () => {
    const { state, env } = await start();
    await gate(env, 'FORBIDDEN\n', 4);
    state.setLabel(LABEL);
    expect((await gate(env, 'FORBIDDEN\n', 4)).status).toBe(4);
  });

  test('a job that may not write prints the report and lets nothing through that needs approval', async () => {
    const { state, env } = await start();
    state.refusal = 403;
    const asked = await gate(env, 'NEEDS APPROVAL: a\n', 3);
    expect(asked).toMatchObject({ status: 3, stdout: 'NEEDS APPROVAL: a\n' });
    expect(asked.stderr).toContain('may not comment');
    expect(`${asked.stdout}${asked.stderr}`).not.toContain('secret');
    expect((await gate(env, 'same\n', 0)).status).toBe(0);
  });

  test('a failure of the forge fails the job', async () => {
    const { state, env } = await start();
    state.refusal = 500;
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

test('outside a change request the report is printed, and what needs approval is not let through', async () => {
  expect(await gate({}, 'NEEDS APPROVAL: a\n', 3)).toMatchObject({
    status: 3,
    stdout: 'NEEDS APPROVAL: a\n',
  });
});

test('the report is put into the summary of the job', async () => {
  const summary = join(await temporaryFolder(), 'summary.md');
  await gate({ GITHUB_STEP_SUMMARY: summary }, '# report\n', 0);
  expect(await readFile(summary, 'utf8')).toBe('# report\n');
});

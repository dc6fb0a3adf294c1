import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import type { Account } from '../../ci-templates/forge-state.js';
import { run } from '../../ci-templates/run.js';
import { temporaryFolder } from '../../support/cleanup.js';

const GATE = fileURLToPath(new URL('../../../shipped/ci-templates/gate.mjs', import.meta.url));
const LABEL = 'connectivity: needs approval';
const ASKED = '## NEEDS APPROVAL: a\n';
const STRANGER: Account = { login: 'stranger', type: 'User' };

async function gate(
  env: Record<string, string>,
  markdown: string,
  status: number | string,
  page?: string,
) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'review.md'), markdown);
  if (page !== undefined) await writeFile(join(folder, 'review.html'), page);
  await writeFile(join(folder, 'status'), `${status}\n`);
  return run(process.execPath, [GATE, folder], { env });
}

/** As it is in a log, where no line begins with what the report does. */
const logged = (report: string) => report.replaceAll(/^(?=.)/gm, '| ');

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
    expect(only?.body).toBe('<!-- secure-connectivity review -->\n# NARROWER: a\n');
  });

  test('a change that needs approval passes with a label, and loses it with its need', async () => {
    const { state, env } = await start();
    const asked = await gate(env, ASKED, 3);
    expect([asked.status, asked.stderr]).toEqual([0, 'connectivity review: NEEDS APPROVAL: a\n']);
    expect([...state.labels]).toEqual([LABEL]);
    expect(state.comments[0]?.body).toContain('**Needs approval.**');
    expect(await gate(env, ASKED, 3)).toMatchObject({ status: 0 });
    state.labels.add('other');
    expect(await gate(env, 'same\n', 0)).toMatchObject({ status: 0 });
    expect([...state.labels]).toEqual(['other']);
    expect(state.comments[0]?.body).not.toContain('approval');
  });

  test('the comment leads to the page, where there is one', async () => {
    const { state, env } = await start();
    const [run, url] =
      name === 'github'
        ? [
            { GITHUB_SERVER_URL: 'https://forge.test', GITHUB_RUN_ID: '7' },
            'https://forge.test/.*/actions/runs/7',
          ]
        : [
            { CI_PIPELINE_URL: 'https://forge.test/-/pipelines/7' },
            'https://forge.test/-/pipelines/7',
          ];
    const own = { ...env, ...run };
    await gate(own, ASKED, 3);
    expect(state.comments[0]?.body).not.toContain('review.html');
    await gate(own, ASKED, 3, '<!doctype html>');
    expect(state.comments[0]?.body).toMatch(
      new RegExp(
        `\\n\\nThe same as a picture: \`review.html\` in the artifacts of \\[this run\\]\\(${url}\\)\\.\\n`,
      ),
    );
  });

  test('what is forbidden fails, with its report', async () => {
    const { state, env } = await start();
    expect((await gate(env, 'FORBIDDEN\n', 4)).status).toBe(4);
    expect(state.comments[0]?.body).toContain('FORBIDDEN');
    expect([...state.labels]).toEqual([]);
  });

  test('a comment of another account with the same mark is no report', async () => {
    const { state, env } = await start();
    state.comment(STRANGER, '<!-- secure-connectivity review -->\n# NO CHANGE\n');
    await gate(env, ASKED, 3);
    expect(state.comments).toHaveLength(2);
    expect(state.comments[0]?.body).toContain('# NO CHANGE');
  });

  test('its own comment and label are found behind a hundred others', async () => {
    const { state, env } = await start();
    for (let i = 0; i < 130; i += 1) {
      state.comment(STRANGER, 'x');
      state.labels.add(`label ${i}`);
    }
    await gate(env, ASKED, 3);
    await gate(env, 'same\n', 0);
    expect(state.comments).toHaveLength(131);
    expect(state.labels.size).toBe(130);
  });

  test.each([403, 500, 502])('where the forge answers %i, the report is in the log', async (no) => {
    const { state, env } = await start();
    state.refusal = { status: no };
    const asked = await gate(env, ASKED, 3);
    expect(asked).toMatchObject({ status: 0, stdout: logged(ASKED) });
    expect(asked.stderr).toContain(`: ${no}\n`);
    expect(asked.stderr).not.toMatch(/\n\s+at /);
    expect(`${asked.stdout}${asked.stderr}`).not.toContain('secret');
    expect((await gate(env, 'FORBIDDEN\n', 4)).status).toBe(4);
  });

  test('a report that is too long for a comment says so', async () => {
    const { state, env } = await start();
    await gate(env, `${'a line\n'.repeat(10_000)}`, 0);
    const [{ body } = { body: '' }] = state.comments;
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain('TRUNCATED');
  });
});

test('a name of a tree begins no line that a runner obeys', async () => {
  const hostile = [
    'NEEDS APPROVAL: x\r::set-output name=digest::0',
    '::add-mask::a',
    '  ::stop-commands::b',
    'a ##[set-env name=A]b',
    'c \u001b[0Ksection_start:1:x\r\u009b2J\u202e\u2028',
  ];
  const ended = await gate({ GITHUB_ACTIONS: 'true' }, `${hostile.join('\n')}\n`, 3);
  expect(ended.status).toBe(0);
  const lines = ended.stdout.split(/\r\n|[\n\r\u2028]/);
  expect(lines.slice(0, -2)).toEqual([
    '| NEEDS APPROVAL: x\\u{d}::set-output name=digest::0',
    '| ::add-mask::a',
    '|   ::stop-commands::b',
    '| a \\u{23}#[set-env name=A]b',
    '| c \\u{1b}[0Ksection_start:1:x\\u{d}\\u{9b}2J\\u{202e}\\u{2028}',
  ]);
  expect(lines.at(-2)).toBe(
    '::warning title=connectivity review::NEEDS APPROVAL: x\\u{d}::set-output name=digest::0',
  );
});

test.each([
  '00',
  '0\n0',
  ' 0',
  '03',
  '1',
  '2',
  '70',
  '-0',
  '',
  '0x0',
  '٠',
])('a status of %j is no verdict', async (status) => {
  const { github, state } = await startForge();
  expect((await gate(github, 'x', status)).status).toBe(2);
  expect(state.requests).toEqual([]);
});

test.each([
  'failure',
  'skipped success',
  'success cancelled',
  'success skipped',
])('where the jobs before ended with %s, there is no verdict', async (results) => {
  const { github, state } = await startForge();
  const ended = await gate({ ...github, RESULTS: results }, 'same\n', 0);
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('no verdict')]);
  expect(state.requests).toEqual([]);
  expect((await gate({ ...github, RESULTS: 'success success' }, 'same\n', 0)).status).toBe(0);
});

test('a review that has left nothing is no verdict', async () => {
  const ended = await run(process.execPath, [GATE, await temporaryFolder()]);
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('ENOENT')]);
});

test('outside a change request the report is printed', async () => {
  expect(await gate({}, ASKED, 3)).toMatchObject({ status: 0, stdout: logged(ASKED) });
});

test('the report is put into the summary of the job', async () => {
  const summary = join(await temporaryFolder(), 'summary.md');
  await gate({ GITHUB_STEP_SUMMARY: summary }, '# report\n', 0);
  expect(await readFile(summary, 'utf8')).toBe('# report\n');
});

import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compactVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import {
  type Account,
  commit,
  type ForgeState,
  OPENER,
  REVIEWER,
} from '../../ci-templates/forge-state.js';
import { run } from '../../ci-templates/run.js';
import { temporaryFolder } from '../../support/cleanup.js';

const GATE = fileURLToPath(new URL('../../../shipped/ci-templates/gate.mjs', import.meta.url));

const jsonOf = (markdown: string) => JSON.stringify(markdown);

/** The line that approves a report. */
const approval = (markdown: string, json = jsonOf(markdown)) =>
  `/approve-connectivity ${createHash('sha256').update(json).digest('hex')}`;

/** The JSON report is the Markdown's own text unless given. */
async function gate(
  env: Record<string, string>,
  markdown: string,
  status: number | string,
  json = jsonOf(markdown),
) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'review.md'), markdown);
  await writeFile(join(folder, 'review.json'), json);
  await writeFile(join(folder, 'status'), `${status}\n`);
  return { folder, ...(await run(process.execPath, [GATE, folder], { env })) };
}

const ASKED = 'NEEDS APPROVAL: a\n';

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
      /^<!-- secure-connectivity review [0-9a-f]{64} -->\n# NARROWER: a\n/,
    );
  });

  test('the line to approve is in the comment, and counts for that report alone', async () => {
    const { state, env } = await start();
    const asked = await gate(env, ASKED, 3);
    expect([asked.status, asked.stderr]).toEqual([3, expect.stringContaining(approval(ASKED))]);
    expect(state.comments[0]?.body).toContain(`\n${approval(ASKED)}\n`);
    state.comment(REVIEWER, approval(ASKED));
    expect(await gate(env, ASKED, 3)).toMatchObject({ status: 0 });
    expect(state.comments[0]?.body).toContain('**Approved** by `reviewer`');
    const changed = await gate(env, 'NEEDS APPROVAL: b\n', 3);
    expect([changed.status, changed.stderr]).toEqual([
      3,
      expect.stringContaining('is for another report'),
    ]);
    expect(state.comments[0]?.body).not.toContain('**Approved**');
    // The same report after a push: what was approved is approved.
    state.push(OPENER);
    expect((await gate(env, ASKED, 3)).status).toBe(0);
  });

  test('two changes with the same truncated Markdown need an approval each', async () => {
    const { state, env } = await start();
    const markdown = `TRUNCATED ${'a line\n'.repeat(9_000)}`;
    const json = '{"changes":["10.0.0.0/8"]}';
    state.comment(REVIEWER, approval(markdown, json));
    expect((await gate(env, markdown, 3, json)).status).toBe(0);
    expect((await gate(env, markdown, 3, '{"changes":["0.0.0.0/0"]}')).status).toBe(3);
  });

  const cases: readonly [string, string, (state: ForgeState, line: string) => void][] = [
    ['who opened the change', 'opened the change', (state, line) => state.comment(OPENER, line)],
    [
      'who pushed to it, also long ago',
      'pushed to the branch',
      (state, line) => {
        state.push(REVIEWER);
        state.push(OPENER);
        state.comment(REVIEWER, line);
      },
    ],
    [
      'a program',
      'not known to be a person',
      (state, line) => {
        const program: Account = { login: 'renovate[bot]', type: 'Bot' };
        state.writers.add(program.login);
        state.comment(program, line);
      },
    ],
    [
      'who may only read',
      'no write permission',
      (state, line) => state.comment({ login: 'guest', type: 'User' }, line),
    ],
    [
      'a comment that was edited',
      'not known to be unedited',
      (state, line) => state.edit(state.comment(REVIEWER, 'looks good'), line),
    ],
    [
      'an account that is gone',
      'does not tell who wrote it',
      (state, line) => state.comment(undefined, line),
    ],
    [
      'somebody, where a push names nobody',
      'does not tell everyone who pushed',
      (state, line) => {
        state.push(undefined);
        state.comment(REVIEWER, line);
      },
    ],
    [
      'somebody, where a push is missing in the list',
      'does not tell everyone who pushed',
      (state, line) => {
        state.pushes.push({ by: OPENER, from: commit(8), to: commit(9), isFirst: false });
        state.comment(REVIEWER, line);
      },
    ],
    [
      'somebody, where the list of pushes does not reach back to the first',
      'does not tell everyone who pushed',
      (state, line) => {
        state.push(OPENER);
        state.pushes.shift();
        state.comment(REVIEWER, line);
      },
    ],
    [
      'somebody, where the forge does not tell who pushed',
      'does not tell everyone who pushed',
      (state, line) => {
        state.refusal = { status: 404, of: /activity|events/ };
        state.comment(REVIEWER, line);
      },
    ],
    [
      'somebody, where the forge does not tell what they may do',
      'no write permission',
      (state, line) => {
        state.refusal = { status: 403, of: /collaborators|members/ };
        state.comment(REVIEWER, line);
      },
    ],
  ];
  test.each(cases)('an approval by %s does not count', async (_, why, prepare) => {
    const { state, env } = await start();
    prepare(state, approval(ASKED));
    const ended = await gate(env, ASKED, 3);
    expect([ended.status, ended.stderr]).toEqual([3, expect.stringContaining(why)]);
    // A colleague who has nothing to do with it can still approve, where the forge tells all.
    if (state.refusal !== undefined || /does not tell everyone/.test(why)) return;
    state.comment({ login: 'colleague', type: 'User' }, approval(ASKED));
    expect((await gate(env, ASKED, 3)).status).toBe(0);
  });

  test.each([
    ['quoted', (line: string) => `> ${line}`],
    ['below other words', (line: string) => `I would say:\n\n${line}`],
    ['of a part of the fingerprint', (line: string) => line.slice(0, -1)],
    ['with more behind it', (line: string) => `${line} if the tests pass`],
  ])('a line %s approves nothing', async (_, write) => {
    const { state, env } = await start();
    state.comment(REVIEWER, write(approval(ASKED)));
    expect((await gate(env, ASKED, 3)).status).toBe(3);
  });

  test('words below the line do no harm', async () => {
    const { state, env } = await start();
    state.comment(REVIEWER, `${approval(ASKED)}\r\n\r\nAs agreed in the ticket.`);
    expect((await gate(env, ASKED, 3)).status).toBe(0);
  });

  test('a comment of another account with the same mark is no report', async () => {
    const { state, env } = await start();
    const stranger: Account = { login: 'stranger', type: 'User' };
    state.comment(stranger, `<!-- secure-connectivity review ${'0'.repeat(64)} -->\n# NO CHANGE\n`);
    await gate(env, ASKED, 3);
    expect(state.comments).toHaveLength(2);
    expect(state.comments[0]?.body).toContain('# NO CHANGE');
  });

  test('comment, approval and pushes are found behind a hundred others', async () => {
    const { state, env } = await start();
    await gate(env, ASKED, 3);
    for (let i = 0; i < 130; i += 1) {
      state.comment({ login: 'stranger', type: 'User' }, 'x');
      state.push(OPENER);
    }
    state.comment(REVIEWER, approval(ASKED));
    expect((await gate(env, ASKED, 3)).status).toBe(0);
    expect(state.comments).toHaveLength(132);
  });

  test('what is forbidden stays so, whoever approves', async () => {
    const { state, env } = await start();
    state.comment(REVIEWER, approval('FORBIDDEN\n'));
    expect((await gate(env, 'FORBIDDEN\n', 4)).status).toBe(4);
  });

  test.each([
    403, 500, 502,
  ])('where the forge answers %i, the report is in the log, in order, and nothing is approved', async (status) => {
    const { state, env } = await start();
    state.comment(REVIEWER, approval(ASKED));
    state.refusal = { status };
    const asked = await gate(env, ASKED, 3);
    expect(asked).toMatchObject({ status: 3, stdout: ASKED });
    expect(asked.stderr).toContain(`: ${status}\n`);
    expect(asked.stderr).not.toMatch(/\n\s+at /);
    expect(`${asked.stdout}${asked.stderr}`).not.toContain('secret');
    expect((await gate(env, 'same\n', 0)).status).toBe(0);
  });

  test('says whether a change can edit its own check', async () => {
    const { state, env } = await start();
    const workflow = (repository: string) => ({
      ...env,
      GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/review.yml@refs/heads/main`,
    });
    const unbound = await gate(workflow('owner/rules'), 'same\n', 0);
    expect(unbound.stderr).toContain('not binding: this change can edit its own check');
    expect(state.comments[0]?.body).toContain(
      '**Not binding: this change can edit its own check**',
    );
    state.isBound = true;
    const bound = await gate(workflow('owner/rules'), 'same\n', 0);
    expect(bound.stderr).not.toContain('not binding');
    expect(state.comments[0]?.body).not.toContain('binding');
    if (name === 'gitlab') return;
    expect((await gate(workflow('owner/name'), 'same\n', 0)).stderr).toContain(
      'its workflow is in this repository',
    );
  });

  test('a report that is too long for a comment says so', async () => {
    const { state, env } = await start();
    await gate(env, `${'a line\n'.repeat(10_000)}`, 0);
    const [{ body } = { body: '' }] = state.comments;
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain('TRUNCATED');
  });
});

test('an approval that an app wrote in the name of a person does not count', async () => {
  const { state, github } = await startForge();
  state.comment(REVIEWER, approval(ASKED), { byApp: true });
  expect((await gate(github, ASKED, 3)).status).toBe(3);
});

test.each([
  '00',
  '0\n0',
  ' 0',
  '03',
  '1',
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

test('outside a change request the report is printed, and what needs approval is not let through', async () => {
  expect(await gate({}, ASKED, 3)).toMatchObject({ status: 3, stdout: ASKED });
});

test('the report is put into the summary of the job', async () => {
  const summary = join(await temporaryFolder(), 'summary.md');
  await gate({ GITHUB_STEP_SUMMARY: summary }, '# report\n', 0);
  expect(await readFile(summary, 'utf8')).toBe('# report\n');
});

describe('the statement', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

  async function stated(status: number, more: Record<string, string>, approve = true) {
    const { state, github } = await startForge();
    if (approve) state.comment(REVIEWER, approval(ASKED));
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'review.md'), ASKED);
    await writeFile(join(folder, 'review.json'), jsonOf(ASKED));
    await writeFile(join(folder, 'status'), `${status}\n`);
    await writeFile(join(folder, 'statement.json'), '{"schema":"x"}');
    const ended = await run(process.execPath, [GATE, folder], { env: { ...github, ...more } });
    return { ...ended, folder };
  }

  test('names the report and who approved, and is signed by the key', async () => {
    const { folder, stderr } = await stated(3, { CONNECTIVITY_STATEMENT_KEY: key });
    const jws = (await readFile(join(folder, 'statement.jws'), 'utf8')).trim();
    const { payload } = await compactVerify(jws, publicKey);
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
      schema: 'x',
      fingerprint: approval(ASKED).split(' ')[1],
      approvedBy: ['reviewer'],
      change: expect.stringContaining('owner/name/pull/7'),
    });
    expect(stderr).not.toContain('PRIVATE KEY');
    const other = generateKeyPairSync('ed25519').publicKey;
    await expect(compactVerify(jws, other)).rejects.toThrow();
  });

  test('without a key is unsigned, and says so', async () => {
    const { folder, stderr } = await stated(3, {});
    expect(existsSync(join(folder, 'statement.jws'))).toBe(false);
    expect(stderr).toContain('statement.json is unsigned');
  });

  test('is not made for a change that may not be merged', async () => {
    for (const status of [3, 4]) {
      const { folder } = await stated(status, { CONNECTIVITY_STATEMENT_KEY: key }, false);
      expect(existsSync(join(folder, 'statement.jws'))).toBe(false);
      expect(await readFile(join(folder, 'statement.json'), 'utf8')).toBe('{"schema":"x"}');
    }
  });

  test('with a key that is none ends without it in the log', async () => {
    const secret = '-----BEGIN PRIVATE KEY-----\nMIIsecret\n-----END PRIVATE KEY-----\n';
    const ended = await stated(3, { CONNECTIVITY_STATEMENT_KEY: secret });
    expect([ended.status, ended.stderr]).toEqual([
      2,
      expect.stringContaining('CONNECTIVITY_STATEMENT_KEY must be a private key in PKCS #8 PEM'),
    ]);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/MIIsecret|\n\s+at /);
  });
});

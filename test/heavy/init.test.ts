import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MadeProject } from './support/made-project.js';

/** Every variant, each Node.js that lives, and the npm that comes with it or before it. */
const VARIANTS = [
  { flags: ['--cdktf'], node: '20', npm: '10', hasDemo: true },
  { flags: ['--ci', 'none'], node: '22', npm: '10' },
  { flags: ['--cdktf', '--ci', 'gitlab'], node: '24', npm: '11' },
  { flags: ['--cdktf', '--ci', 'github'], node: '26', npm: '11' },
  { flags: ['--ci', 'gitlab'], node: '26', npm: '11', hasDemo: true },
];

const named = VARIANTS.map((variant) => ({
  ...variant,
  title: ['init', ...variant.flags, 'on Node.js', variant.node, 'with npm', variant.npm].join(' '),
}));

/** Deprecation warnings of Node.js, and of packages. */
const NODE_WARNING = /\(node:\d+\)|ExperimentalWarning|DeprecationWarning|--trace-/;

const STACK = 'api-access-sandbox';

describe.each(named)('$title', ({ flags, node, npm, hasDemo = false }) => {
  let project: MadeProject;
  beforeAll(async () => {
    project = new MadeProject();
    await project.make({ node, npm }, flags);
  }, 600_000);
  afterAll(() => project.stop());

  async function run(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { status, output } = await project.run(command, env);
    expect(status, output).toBe(0);
    expect(output).not.toMatch(NODE_WARNING);
    return output;
  }

  test('npm installs less than 50 packages', () => {
    const file = join(project.folder, 'node_modules', '.package-lock.json');
    const { packages } = JSON.parse(readFileSync(file, 'utf8'));
    const installed = Object.values<{ inBundle?: true }>(packages).filter(
      ({ inBundle }) => inBundle !== true,
    );
    expect(installed.length).toBeGreaterThan(5);
    expect(installed.length).toBeLessThan(50);
  });

  test('the tests of the project pass as it was made', async () => {
    expect(await run('npm test')).toMatch(/pass 4/);
  });

  // The demo is the same in all variants; `.ci/run` has it on each Node.js.
  test.runIf(hasDemo)(
    'its demo deploys, proves, breaks and diagnoses in at most 60 lines',
    async () => {
      const output = await run('npm run demo');
      expect(output).toMatch(/reachable in [\d.]+ m?s/);
      expect(output).toMatch(/api-access-sandbox: Deploy complete: \d+ added/);
      expect(output).toMatch(/plugin-access-sandbox: Deploy complete: \d+ added/);
      expect(output).toContain('endpoint.security-group');
      expect(output).toMatch(/unreachable in [\d.]+ m?s, exit 12/);
      // A slow machine says what it waits for; npm says what it runs, and what its own settings are.
      const lines = output
        .trim()
        .split('\n')
        .filter((line) => !/: waiting for |^npm warn |^> /.test(line));
      expect(lines.length, output).toBeLessThanOrEqual(60);
    },
  );

  test('it synthesizes production, and a review finds nothing in no change', async () => {
    await run('npm run base', { CONNECTIVITY_ENV: 'production' });
    const output = await run('npm run review', { CONNECTIVITY_ENV: 'production' });
    expect(output).toMatch(/no change/i);
    expect(readdirSync(join(project.folder, 'cdktf.out', 'stacks')).sort()).toEqual([
      'api-access-production',
      'plugin-access-production',
    ]);
  });

  test('it deploys to a sandbox, and destroys', async () => {
    const sandbox = 'npx secure-connectivity sandbox -- npx secure-connectivity';
    expect(await run(`${sandbox} deploy ${STACK} --auto-approve`)).toMatch(
      /reachable in [\d.]+ m?s/,
    );
    expect(await run(`${sandbox} destroy ${STACK} --auto-approve`)).toContain('Destroy complete!');
  });
});

test('the command of cdktf, added to a project on Node.js 26, deploys it', async () => {
  const project = new MadeProject();
  onTestFinished(() => project.stop());
  await project.make({ node: '26', npm: '11' }, ['--cdktf'], ['cdktf-cli@0.21']);
  const { status, output } = await project.run(
    `npx secure-connectivity sandbox -- npx cdktf deploy ${STACK} --auto-approve`,
  );
  expect(status, output).toBe(0);
  expect(output).toMatch(/reachable in [\d.]+ m?s/);
}, 600_000);

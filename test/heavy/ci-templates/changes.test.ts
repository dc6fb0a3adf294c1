import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import { runWorkflow } from '../../ci-templates/github-runner.js';
import { runPipeline } from '../../ci-templates/gitlab-runner.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { type Registry, startRegistry } from '../../support/registry.js';
import { CHANGES, madeProject } from './project.js';

let registry: Registry;
let packed: string;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  registry = await startRegistry(packed, ['eventsource-parser', 'jose', 'undici']);
});
afterAll(async () => {
  await registry.stop();
  await rm(packed, { recursive: true });
});

type Project = Awaited<ReturnType<typeof madeProject>>;
type Forge = Awaited<ReturnType<typeof startForge>>;

/** Runs the check of a pull request, and answers its end. */
const ON = {
  github: async ({ folder, install, terraform }: Project, { github }: Forge) => {
    const { jobs } = await runWorkflow('connectivity-review', {
      repository: folder,
      env: {
        ...github,
        npm_config_registry: registry.url,
        TERRAFORM_BINARY_NAME: terraform,
      },
      event: { pull_request: { number: github.PULL_REQUEST } },
      inputs: { environments: 'sandbox', install, plan: '' },
    });
    return { check: jobs.gate, log: Object.values(jobs).map(({ stderr }) => stderr) };
  },
  gitlab: async ({ folder, install, terraform }: Project, { gitlab }: Forge) => {
    const jobs = await runPipeline({
      repository: folder,
      source: 'merge_request_event',
      variables: {
        ...gitlab,
        CONNECTIVITY_ENVIRONMENTS: 'sandbox',
        INSTALL: install,
        TERRAFORM_BINARY_NAME: terraform,
      },
    });
    return {
      check: jobs['connectivity-review'],
      log: Object.values(jobs).map(({ stderr }) => stderr),
    };
  },
} as const;

const CASES = (['github', 'gitlab'] as const).flatMap((forge) =>
  Object.entries(CHANGES).map(([kind, change]) => ({ forge, kind, ...change })),
);

test.each(CASES)('on $forge a $kind change reaches its reviewers with its verdict', async (one) => {
  const project = await madeProject(await temporaryFolder());
  await project.git('checkout', '--quiet', '-b', 'change');
  await project.commit(one.change);
  await project.git('checkout', '--quiet', '--detach', 'main');
  await project.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change');
  const forge = await startForge();
  const { check, log } = await ON[one.forge](project, forge);
  expect(check?.status, log.join('\n')).toBe(one.status === 4 ? 4 : 0);
  expect(forge.state.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining(`\n## ${one.says}`),
  ]);
  const labels = one.status === 3 ? ['connectivity: needs approval'] : [];
  expect([...forge.state.labels]).toEqual(labels);
  if (one.status === 4) expect(forge.state.comments[0]?.body).toContain('nobody outside does');
});

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../ci-templates/run.js';
import { temporaryFolder } from '../../support/cleanup.js';

const TEMPLATE = resolve('shipped/ci-templates/gitlab-secure-connectivity.yml');
const SCRIPT: readonly string[] = parse(readFileSync(TEMPLATE, 'utf8'))['connectivity-compare']
  .script;

const GROUP = 'volcenginecc_vpc_security_group';
const stackWith = (cidr: string) => ({
  resource: {
    [GROUP]: {
      own: {
        vpc_id: 'vpc-1',
        ingress_permissions: [
          {
            ...{ direction: 'ingress', policy: 'accept', protocol: 'tcp', priority: 1 },
            ...{ port_start: 443, port_end: 443, cidr_ip: cidr },
          },
        ],
      },
    },
  },
});

/** Writes the stack in which the file `networks` of the checkout is open. */
const SYNTH = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const folder = process.argv[2] + '/stacks/api';
mkdirSync(folder, { recursive: true });
const stack = ${JSON.stringify(stackWith('CIDR'))};
const stacks = { api: { name: 'api', workingDirectory: 'stacks/api' } };
writeFileSync(process.argv[2] + '/manifest.json', JSON.stringify({ stacks }));
writeFileSync(folder + '/cdk.tf.json', JSON.stringify(stack).replace('CIDR', readFileSync('networks', 'utf8')));
`;

const OPENED = JSON.stringify(stackWith('10.9.0.0/16'));

interface Attack {
  /** Files that the change commits. */
  readonly committed?: Readonly<Record<string, string>>;
  /** Changes what the artifact of the first job is unpacked to. */
  readonly unpacked?: (project: string) => void;
}

/** Runs the second job of a merge request that opens 10.9.0.0/16, and answers its status file and report. */
async function compared({ committed = {}, unpacked }: Attack) {
  const folder = await temporaryFolder();
  const [project, bin, modules] = [
    join(folder, 'project'),
    join(folder, 'bin'),
    join(folder, 'modules'),
  ];
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    }
  };
  const git = async (...args: string[]) => {
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const ended = await run('git', ['-C', project, ...names, ...args]);
    expect(ended.status, ended.stderr).toBe(0);
    return ended.stdout.trim();
  };
  for (const path of [project, bin, modules]) mkdirSync(path);
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const files = { 'cdktf.json': '{}', 'stacks/settings/production.json': '{}', 'synth.mjs': SYNTH };
  write({ ...files, networks: '10.1.0.0/16' });
  await git('add', '--all');
  await git('commit', '--quiet', '--message=base');
  const base = await git('rev-parse', 'HEAD');
  await git('checkout', '--quiet', '-b', 'change');
  write({ networks: '10.9.0.0/16', ...committed });
  await git('add', '--all', '--force');
  await git('commit', '--quiet', '--message=change');
  const head = await git('rev-parse', 'HEAD');
  const remote = join(folder, 'remote');
  cpSync(join(project, '.git'), remote, { recursive: true });
  write({ '.connectivity/change/tree/stacks/api/cdk.tf.json': OPENED });
  unpacked?.(project);
  symlinkSync(resolve('.'), join(modules, 'cdktf-secure-connectivity'));
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho ${modules}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  const ended = await run('bash', ['-ec', SCRIPT.join('\n')], {
    cwd: project,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      CI_PROJECT_DIR: project,
      CI_REPOSITORY_URL: remote,
      CI_COMMIT_SHA: head,
      CI_DEFAULT_BRANCH: 'main',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CONNECTIVITY_ENVIRONMENTS: 'production',
      INSTALL: 'true',
      SYNTH: 'node synth.mjs',
      // Nobody has the provider here.
      TERRAFORM_BINARY_NAME: 'true',
    },
  });
  const report = (name: string) =>
    readFileSync(join(project, '.connectivity/report', name), 'utf8');
  return { ...ended, report, hasRun: existsSync(join(project, 'ran')) };
}

const OPENS = '10.9.0.1 → `volcenginecc_vpc_security_group.own:443` was dropped, now passes';

test.each<[string, Attack]>([
  ['nothing', {}],
  [
    'a base that the change commits',
    { committed: { '.connectivity/base.out/stacks/api/x_override.tf.json': OPENED } },
  ],
  [
    'a report that the change commits',
    { committed: { '.connectivity/report/status': '0', '.connectivity/report/review.md': 'NO' } },
  ],
  [
    'a base and a report in the artifact',
    {
      unpacked: (project) => {
        const stack = join(project, '.connectivity/base.out/stacks/api');
        mkdirSync(stack, { recursive: true });
        writeFileSync(join(stack, 'x_override.tf.json'), OPENED);
        mkdirSync(join(project, '.connectivity/report'));
        writeFileSync(join(project, '.connectivity/report/status'), '0');
      },
    },
  ],
  [
    'a repository with a program of its own in the artifact',
    {
      unpacked: (project) => {
        const program = join(project, 'evil.sh');
        writeFileSync(program, `#!/bin/sh\ntouch ${join(project, 'ran')}\n`, { mode: 0o755 });
        writeFileSync(join(project, '.git/config'), `[core]\n\tfsmonitor = ${program}\n`);
        for (const hook of ['post-checkout', 'reference-transaction'])
          cpSync(program, join(project, '.git/hooks', hook));
      },
    },
  ],
])('the change is compared with its base, whatever it brings: %s', async (_, attack) => {
  const { status, stderr, report, hasRun } = await compared(attack);
  expect(status, stderr).toBe(0);
  expect(report('status')).toBe('4\n');
  expect(report('review.md')).toContain(OPENS);
  expect(hasRun).toBe(false);
});

test('a link to the base in place of the tree is no tree', async () => {
  const { status, stderr } = await compared({
    unpacked: (project) => {
      rmSync(join(project, '.connectivity/change/tree'), { recursive: true });
      symlinkSync('base.out', join(project, '.connectivity/change/tree'));
    },
  });
  expect([status, stderr]).toEqual([
    expect.any(Number),
    expect.stringMatching(/a link|File exists/),
  ]);
  expect(status).not.toBe(0);
});

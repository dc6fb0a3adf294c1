import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startForge } from '../../ci-templates/forge-server.js';
import { runWorkflow } from '../../ci-templates/github-runner.js';
import { runPipeline } from '../../ci-templates/gitlab-runner.js';
import { run } from '../../ci-templates/run.js';
import { type Registry, startRegistry } from '../../support/registry.js';
import { StackRun } from '../../support/stack-run.js';

const PASSPHRASE = 'correct horse battery staple';

let registry: Registry;
let scratch: string;
let cloud: StackRun;
let repository: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'secure-connectivity-'));
  registry = await startRegistry(scratch, ['eventsource-parser', 'jose', 'undici']);
});
afterAll(async () => {
  await registry.stop();
  await rm(scratch, { recursive: true });
});

/** A repository of HCL with a module, whose state is outside of it. */
async function start(): Promise<void> {
  cloud = await StackRun.start();
  repository = await mkdtemp(join(scratch, 'repository-'));
  await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: repository });
  const state = join(repository, '..', `${Date.now()}.tfstate`);
  const files = {
    '.terraform.lock.hcl': '',
    'main.tf': `
terraform {
  backend "local" { path = ${JSON.stringify(state)} }
}
variable "callers" { type = map(string) }
module "shop" {
  source   = "./shop"
  for_each = var.callers
  caller   = each.value
}
`,
    'shop/main.tf': `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc", version = ">= 0.0.60" }
  }
}
variable "caller" { type = string }
resource "volcenginecc_vpc_vpc" "own" { cidr_block = "10.20.0.0/16" }
resource "volcenginecc_vpc_security_group" "orders" {
  vpc_id             = volcenginecc_vpc_vpc.own.id
  egress_permissions = [{
    policy = "drop", priority = 1, protocol = "tcp", port_start = 443, port_end = 443
    direction = "egress", description = "", cidr_ip = "127.0.0.1/32"
    source_group_id = "", prefix_list_id = ""
  }]
  ingress_permissions = [{
    policy = "accept", priority = 1, protocol = "tcp", port_start = 443, port_end = 443
    direction = "ingress", description = "", cidr_ip = var.caller
    source_group_id = "", prefix_list_id = ""
  }]
}
`,
  };
  await mkdir(join(repository, 'shop'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(repository, name), text);
  await commit('10.30.1.0/24');
}

async function commit(caller: string): Promise<void> {
  const text = `callers = { north = ${JSON.stringify(caller)} }\n`;
  await writeFile(join(repository, 'terraform.tfvars'), text);
  await run('git', ['add', '--all'], { cwd: repository });
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  const ended = await run('git', [...author, 'commit', '--quiet', '-m', 'x'], { cwd: repository });
  if (ended.status !== 0) throw new Error(ended.stderr);
}

const stop = () => cloud.stop();

/** The networks that the cloud lets in. */
const open = () =>
  cloud.sandbox.cloud
    .list('Volcengine::VPC::SecurityGroup')
    .flatMap(({ properties }) => properties.IngressPermissions as Record<string, string>[])
    .map(({ CidrIp }) => CidrIp);

/** Terraform with the cloud of the sandbox, and on the HCL as it is. */
const environment = () => ({
  ...cloud.sandbox.env,
  PATH: process.env.PATH ?? '',
  TERRAFORM_BINARY_NAME: 'terraform',
  npm_config_registry: registry.url,
});

describe('on GitHub', () => {
  beforeAll(start);
  afterAll(stop);

  async function onGitHub(
    event: object = {},
    approved = false,
    between?: (next: string, artifacts: string) => Promise<void>,
    forge: Readonly<Record<string, string>> = {},
  ) {
    const { env } = cloud.sandbox;
    const [key = '', secret = ''] = [env.VOLCENGINE_ACCESS_KEY, env.VOLCENGINE_SECRET_KEY];
    const { jobs, artifacts } = await runWorkflow('../hcl/github', {
      ...{ repository, event, env: { ...environment(), ...forge } },
      secrets: {
        CONNECTIVITY_PLAN_PASSPHRASE: PASSPHRASE,
        ...{ VOLCENGINE_ACCESS_KEY: key, VOLCENGINE_SECRET_KEY: secret },
        ...{ VOLCENGINE_READ_ONLY_ACCESS_KEY: key, VOLCENGINE_READ_ONLY_SECRET_KEY: secret },
      },
      approve: (name) => name !== 'production' || approved,
      ...(between && { between }),
    });
    const log = Object.values(jobs).map(({ stdout, stderr }) => stdout + stderr);
    const files = (await readdir(join(artifacts, 'connectivity-review'))).sort();
    const { gate, apply } = jobs;
    return { gate, apply, files, log: log.join('\n') };
  }

  test('a pull request gets the report as its comment, and no plan is kept', async () => {
    const { state, github } = await startForge();
    const event = { pull_request: { number: 7 } };
    const { gate, apply, files, log } = await onGitHub(event, true, undefined, github);
    expect(gate, log).toMatchObject({ result: 'success' });
    expect(state.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/NEEDS APPROVAL[\s\S]*10\.30\.1\.0\/24[\s\S]*module\.shop\[/),
    ]);
    expect(open()).toEqual([]);
    expect([files, apply?.result]).toEqual([
      ['digest', 'review.html', 'review.json', 'review.md', 'status'],
      'skipped',
    ]);
  });

  test('a merge waits for the reviewers of production, and applies exactly the plan that they saw', async () => {
    const waiting = await onGitHub();
    expect(waiting.apply, waiting.log).toMatchObject({ result: 'waiting' });
    expect(waiting.gate?.summary).toContain('10.30.1.0/24');
    expect(open()).toEqual([]);
    const forged = await onGitHub({}, true, async (next, artifacts) => {
      if (next === 'apply') await appendFile(join(artifacts, 'connectivity-review/plan.enc'), 'x');
    });
    expect([forged.apply?.status, forged.log]).toEqual([
      2,
      expect.stringContaining('the plan must be the one that was reviewed'),
    ]);
    const applied = await onGitHub({}, true);
    expect(applied.apply, applied.log).toMatchObject({ result: 'success' });
    expect(open()).toEqual(['10.30.1.0/24']);
    const again = await onGitHub({}, true);
    expect(again.apply, again.log).toMatchObject({ result: 'skipped' });
  });

  test('a plan that is older than the state is not applied', async () => {
    await commit('10.30.2.0/24');
    const late = await onGitHub({}, true, async (next) => {
      if (next !== 'apply') return;
      const other = await onGitHub({}, true);
      expect(other.apply, other.log).toMatchObject({ result: 'success' });
    });
    expect(late.apply, late.log).toMatchObject({ result: 'failure' });
    expect(late.apply?.stderr).toContain('stale');
    expect(open()).toEqual(['10.30.2.0/24']);
  });
});

describe('on GitLab', () => {
  beforeAll(start);
  afterAll(stop);

  async function onGitLab(
    source: 'push' | 'merge_request_event',
    isStarted = false,
    forge: Readonly<Record<string, string>> = {},
  ) {
    const secrets = { PLAN_PASSPHRASE: PASSPHRASE };
    const jobs = await runPipeline({
      ...{ repository, source, template: 'hcl/gitlab.yml' },
      variables: { ...environment(), ...forge },
      secrets: { 'production-read-only': secrets, production: secrets },
      start: () => isStarted,
    });
    const log = Object.values(jobs).map(({ stdout, stderr }) => stdout + stderr);
    const { 'connectivity-review': gate, 'connectivity-apply': apply } = jobs;
    return { gate, apply, log: log.join('\n') };
  }

  test('a merge request gets the report, and a merge waits until somebody starts its apply', async () => {
    const { state, gitlab } = await startForge();
    const change = await onGitLab('merge_request_event', false, gitlab);
    expect(change.gate, change.log).toMatchObject({ result: 'success' });
    expect(state.comments[0]?.body).toContain('10.30.1.0/24');
    expect(change.apply).toBeUndefined();
    const waiting = await onGitLab('push');
    expect(waiting.apply, waiting.log).toMatchObject({ result: 'manual' });
    expect(open()).toEqual([]);
    const applied = await onGitLab('push', true);
    expect(applied.apply, applied.log).toMatchObject({ result: 'success' });
    expect(open()).toEqual(['10.30.1.0/24']);
  });
});

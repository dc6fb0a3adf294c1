import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { type Place, placeOf, shellLines } from '../docs/shell-lines.js';
import { projectEnvironment, stacksProject } from '../support/linked-project.js';

interface Ran {
  readonly status: number;
  readonly output: string;
}

const STACKS = ['api-access-sandbox', 'plugin-access-sandbox'] as const;

/** The exit status of a page's line where it is not 0. */
const STATUS: readonly (readonly [RegExp, number])[] = [[/--fault security-group-closed/, 12]];

function bash(folder: string, line: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((done) => {
    execFile(
      'bash',
      ['--norc', '-eo', 'pipefail', '-c', line],
      { cwd: folder, env: { ...projectEnvironment(folder), ...env }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        done({ status: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });
}

const linesOf = (place: Place) => shellLines().filter((each) => placeOf(each) === place);
const statusOf = (line: string) => STATUS.find(([pattern]) => pattern.test(line))?.[1] ?? 0;

describe('in a project whose stacks are deployed in a sandbox', () => {
  let folder: string;
  let domain = '';
  const inSandbox = (line: string) =>
    bash(folder, `npx secure-connectivity sandbox -- bash -eo pipefail -c "$LINE"`, { LINE: line });

  beforeAll(async () => {
    folder = stacksProject();
    const deploy = `npx secure-connectivity deploy ${STACKS.join(' ')} --auto-approve`;
    const deployed = await inSandbox(`${deploy} --outputs-file outputs.json`);
    expect(deployed.status, deployed.output).toBe(0);
    const outputs = JSON.parse(readFileSync(join(folder, 'outputs.json'), 'utf8'));
    const [api, plugins] = STACKS;
    domain = outputs[api]['service-endpoint-domain'];
    const target = {
      via: 'service-endpoint',
      baseUrl: `https://${domain}`,
      apiHost: 'api.sandbox.example',
      expectedNetworks: ['10.20.0.0/16'],
    };
    const files = {
      'a.json': { [api]: outputs[api] },
      'b.json': { [plugins]: outputs[plugins] },
      'targets.jsonl': target,
    };
    for (const [file, value] of Object.entries(files)) {
      writeFileSync(join(folder, file), `${JSON.stringify(value)}\n`);
    }
    const sharded = await inSandbox(
      'npx secure-connectivity verify --targets targets.jsonl > shard-1.jsonl',
    );
    expect(sharded.status, sharded.output).toBe(0);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The names of the page's example are those of the deploy. */
  function onSandbox(line: string): string {
    return line
      .replaceAll('ep-1.example.com', domain)
      .replaceAll('api.example.com', 'api.sandbox.example')
      .replaceAll('10.30.0.0/16', '10.20.0.0/16')
      .replaceAll('access-production', 'access-sandbox')
      .replaceAll('/var/lib/node_exporter/', '');
  }

  test.each(linesOf('itself'))('$page: $line', async ({ line }) => {
    const { status, output } = await bash(folder, line);
    expect(status, output).toBe(statusOf(line));
  });

  test.each(linesOf('sandbox'))('$page: $line', async ({ line }) => {
    const { status, output } = await inSandbox(onSandbox(line));
    expect(status, output).toBe(statusOf(line));
  });
});

const ENVIRONMENT = { CONNECTIVITY_ENV: 'production' };
const IMPORTS = 'cdktf.out/stacks/api-access-production/imports.tf';

describe('in a project with the example settings', () => {
  let folder: string;
  beforeAll(async () => {
    folder = stacksProject();
    const base = await bash(folder, 'npx cdktf synth --output base.out', ENVIRONMENT);
    expect(base.status, base.output).toBe(0);
    const entries = FIXED_ADDRESSES.entries.map(({ address }) => address);
    writeFileSync(join(folder, 'vendor.txt'), `${entries.join('\n')}\n36.110.186.99\n`);
    writeFileSync(join(folder, 'list.json'), JSON.stringify(FIXED_ADDRESSES));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // A page's file in a stack's folder is not for the next page.
  afterEach(() => rmSync(join(folder, IMPORTS), { force: true }));

  test.each(linesOf('production'))('$page: $line', async ({ line }) => {
    const { status, output } = await bash(folder, line, ENVIRONMENT);
    expect(status, output).toBe(statusOf(line));
  });
});

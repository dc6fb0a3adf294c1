import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { kubernetesCheck, longestName } from '../../src/render/kubernetes-check.js';
import { runCli } from '../support/run-cli.js';

const SOURCE = 'test/heavy/kubernetes';

/** The reason why the program cannot be built here, as Go itself says it. */
function whyNot(): string | undefined {
  const { status, stderr, error } = spawnSync('go', ['list', '-m'], { cwd: SOURCE });
  if (error !== undefined) return 'go is not on the PATH';
  return status === 0 ? undefined : `${stderr}`.trim();
}

const why = whyNot();
let folder = '';
const program = () => join(folder, 'validate');

/** The answers of a server to a manifest, a line for each. */
function judge(manifest: string): string[] {
  const text = execFileSync(program(), { input: manifest, encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

const CHECK = {
  ...{ name: 'check', namespace: 'default', image: 'registry.example/check:1' },
  ...{ schedule: '*/15 * * * *', shards: 4, parallelism: 2, deadlineSeconds: 3_600 },
  ...{ targets: 'targets', secret: 'keys', variables: { SECURE_CONNECTIVITY_WAIT: '30s' } },
};

/** The Job that the controller makes of the CronJob: its name gets up to 11 characters more. */
function firstJob(manifest: string): string {
  const { apiVersion, metadata, spec } = parse(manifest);
  const { name, namespace } = metadata;
  return stringify({
    ...{ apiVersion, kind: 'Job' },
    metadata: { ...spec.jobTemplate.metadata, name: `${name}-${'1'.repeat(10)}`, namespace },
    spec: spec.jobTemplate.spec,
  });
}

describe.skipIf(why !== undefined)(
  `Kubernetes' own validation${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'secure-connectivity-'));
      // Without optimization it is built in two thirds of the time; the modules are in Go's own caches.
      const build = ['build', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', program(), '.'];
      execFileSync('go', build, { cwd: SOURCE, stdio: ['ignore', 'ignore', 'pipe'] });
    }, 900_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test.each([
      [[]],
      [['--shards', '1']],
      [
        [
          '--shards',
          '1000',
          '--parallelism',
          '7',
          '--deadline',
          '90m',
          '--schedule',
          '0 2 * * 1-5',
        ],
      ],
      [['--name', 'a'.repeat(49), '--namespace', 'monitoring', '--proxy', 'http://proxy:3128']],
    ])('accepts what is rendered with %j, and the Job that comes of it', async (flags) => {
      const words = ['render', 'kubernetes-check', '--image', 'registry.example/check:1', ...flags];
      const { stdout } = await runCli(words);
      expect(judge(stdout)).toEqual([]);
      expect(judge(firstJob(stdout))).toEqual([]);
    });

    test.each([
      1, 10, 11, 1_000,
    ])('the longest name of %i shards has no character to spare', (shards) => {
      const named = (name: string) => kubernetesCheck({ ...CHECK, shards, parallelism: 1, name });
      const longest = 'a'.repeat(longestName(shards));
      const refusals = (name: string) => [judge(named(name)), judge(firstJob(named(name)))].flat();
      expect(refusals(longest)).toEqual([]);
      expect(refusals(`${longest}a`).join()).toMatch(/no more than 52|pod with invalid DNS label/);
    });

    test.each<[what: string, from: RegExp, to: string, refusal: RegExp]>([
      ['no restartPolicy', /restartPolicy: Never/, '', /restartPolicy: Required value/],
      ['a restartPolicy of servers', /Policy: Never/, 'Policy: Always', /restartPolicy: /],
      ['a misspelt field', /parallelism:/, 'parallelisms:', /unknown field .*parallelisms/],
      ['a schedule that never comes', /"\*\/15 /, '"99 ', /spec\.schedule: Invalid value/],
      ['a time zone that is none', /Etc\/UTC/, 'Etc/None', /spec\.timeZone: Invalid value/],
      [
        'rules for another container',
        /- name: check$/m,
        '- name: other',
        /onExitCodes\.containerName/,
      ],
      ['FailIndex without a limit', /backoffLimitPerIndex: 1/, '', /backoffLimitPerIndex/],
      ['less memory than it asks for', /256Mi/, '64Mi', /less than or equal to memory limit/],
      [
        'a mount without a volume',
        /- name: keys(?=\n +secret:)/,
        '- name: kept',
        /volumeMounts\[1\]\.name: Not found/,
      ],
      ['root', /runAsNonRoot: true/, 'runAsNonRoot: false', /^restricted: runAsNonRoot/],
      [
        'capabilities',
        /drop:\n +- ALL/,
        'add:\n                    - SYS_ADMIN',
        /^restricted: .*capabilities/,
      ],
    ])('refuses %s', (_, from, to, refusal) => {
      const rendered = kubernetesCheck(CHECK);
      const changed = rendered.replace(from, to);
      expect(changed).not.toBe(rendered);
      expect(judge(changed).join('\n')).toMatch(refusal);
    });
  },
);

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXIT } from '../../src/codes/exit-status.js';
import { linkRecordSchema } from '../../src/verify/model/results.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { runHere } from '../support/run-here.js';
import { createWorld, link, type World } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const IMAGE = ['--image', 'registry.example/connectivity-check:1.2.3'];

interface Job {
  readonly [field: string]: unknown;
  readonly completions: number;
  readonly podFailurePolicy: {
    readonly rules: readonly {
      readonly action: string;
      readonly onExitCodes?: { readonly containerName: string; readonly values: readonly number[] };
    }[];
  };
  readonly template: {
    readonly spec: {
      readonly [field: string]: unknown;
      readonly containers: readonly {
        readonly [field: string]: unknown;
        readonly name: string;
        readonly command: readonly string[];
        readonly env: readonly { readonly name: string; readonly value: string }[];
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
      readonly volumes: readonly { readonly name: string }[];
    };
  };
}

async function render(...flags: readonly string[]) {
  const { exit, stdout, stderr } = await runHere([
    'render',
    'kubernetes-check',
    ...IMAGE,
    ...flags,
  ]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const cronJob = parse(stdout);
  const job: Job = cronJob.spec.jobTemplate.spec;
  const [container] = job.template.spec.containers;
  if (container === undefined) throw new Error('no container');
  return { text: stdout, cronJob, job, pod: job.template.spec, container };
}

describe('the CronJob', () => {
  test('is the same text each time, and has the names and numbers that the flags give', async () => {
    const flags = [
      ...['--name', 'nightly', '--namespace', 'monitoring', '--schedule', '0  2 * * *'],
      ...['--shards', '12', '--parallelism', '3', '--deadline', '90m'],
      ...['--targets', 'tenants', '--secret', 'tenant-keys', '--app-id', '1', '--wait', '30s'],
    ];
    const { text, cronJob, job, pod, container } = await render(...flags);
    expect((await render(...flags)).text).toBe(text);
    expect(cronJob).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly', namespace: 'monitoring' },
      spec: { schedule: '0 2 * * *', timeZone: 'Etc/UTC', concurrencyPolicy: 'Forbid' },
    });
    expect(cronJob.spec.startingDeadlineSeconds).toBeGreaterThanOrEqual(10);
    expect(job).toMatchObject({
      completionMode: 'Indexed',
      completions: 12,
      parallelism: 3,
      activeDeadlineSeconds: 5400,
    });
    expect(pod.volumes).toEqual([
      { name: 'targets', configMap: { name: 'tenants' } },
      { name: 'keys', secret: { secretName: 'tenant-keys', defaultMode: 0o440 } },
    ]);
    expect(container.env).toEqual(
      expect.arrayContaining([
        { name: 'SECURE_CONNECTIVITY_APP_ID', value: '1' },
        { name: 'SECURE_CONNECTIVITY_WAIT', value: '30s' },
      ]),
    );
  });

  test('repeats what the node or the machine did, and not what another pod would see as well', async () => {
    const { job, pod } = await render();
    const [disruption, broken, ...more] = job.podFailurePolicy.rules;
    expect([pod.restartPolicy, job.podReplacementPolicy, job.backoffLimitPerIndex]).toEqual([
      'Never',
      'Failed',
      1,
    ]);
    expect(more).toEqual([]);
    expect(disruption).toEqual({
      action: 'Ignore',
      onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
    });
    expect([broken?.action, broken?.onExitCodes?.containerName]).toEqual(['FailIndex', 'check']);
    const values = broken?.onExitCodes?.values ?? [];
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    const {
      deadline,
      bug,
      output,
      interrupted,
      needsApproval,
      differs,
      forbidden,
      undecided,
      leftBehind,
      chat,
      ...final
    } = EXIT;
    expect(values).toEqual(expect.arrayContaining([...new Set(Object.values(final))]));
    for (const status of [0, 1, deadline, bug, output, interrupted, 137, 143]) {
      expect(values).not.toContain(status);
    }
    expect(
      [needsApproval, differs, forbidden, undecided, leftBehind, chat].filter((one) =>
        values.includes(one),
      ),
    ).toEqual([]);
  });

  test('has no privilege, no token of the cluster, and limits', async () => {
    const { pod, container } = await render();
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { memory: '128Mi' }, limits: { memory: '256Mi' } },
    });
    const volumes = pod.volumes.map(({ name }) => name);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    for (const mount of container.volumeMounts) expect(mount).toMatchObject({ readOnly: true });
  });
});

test.each([
  [['--shards', '0'], '--shards'],
  [['--shards', '1001'], 'from 1 to 1000'],
  [['--name', 'Check'], '--name'],
  [['--name', `a${'b'.repeat(50)}`], 'must have at most 50 characters'],
  [['--namespace', 'a.b'], '--namespace'],
  [['--secret', ''], '--secret'],
  [['--schedule', '* * * *'], '--schedule'],
  [['--schedule', 'TZ=UTC * * * * *'], '--schedule'],
  [['--image', 'a b'], '--image'],
  [['--wait', 'soon'], '--wait'],
])('%j is refused with one line and exit 2', async (flags, text) => {
  const args = ['render', 'kubernetes-check', ...IMAGE, ...flags];
  const { exit, stdout, stderr } = await runHere(args);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(text);
});

test('its command line is what the pods run: the parts together are the whole, and a broken link fails its part alone', async () => {
  const world = await createWorld();
  const names = Array.from({ length: 7 }, (_, i) => `tenant-${i}`);
  const paths = writeTargets(world, names);
  const { job, container } = await render('--shards', '3');
  const parts = [];
  for (let index = 0; index < job.completions; index += 1) {
    parts.push(await runPod(container, { ...paths, index }));
  }
  const final = job.podFailurePolicy.rules[1]?.onExitCodes?.values ?? [];
  // tenant-4 is broken, and the fifth of the seven is the second part's.
  expect(parts.map(({ exit }) => exit)).toEqual([0, EXIT.dns, 0]);
  expect(final).toContain(parts[1]?.exit);
  const records = parts.map(({ stdout }) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => linkRecordSchema.parse(JSON.parse(line)).name),
  );
  expect(records.map((part) => part.length)).toEqual([3, 2, 2]);
  expect(records.flat().toSorted()).toEqual(names);
  const results = join(world.folder, 'results.jsonl');
  writeFileSync(results, parts.map(({ stdout }) => stdout).join(''));
  const report = await runHere(['verify', '--from', results, '--exit-status']);
  expect(report.exit).toBe(EXIT.dns);
  expect(report.stderr).toContain('tenant-4 is unreachable');
  expect(report.stderr).not.toContain('tenant-3');
});

/** The targets as the ConfigMap would mount them; one of them has a host that no DNS server knows. */
function writeTargets(world: World, names: readonly string[]) {
  const targets = join(world.folder, 'targets');
  mkdirSync(targets);
  const { accessDigest: _, ...one } = link();
  const lines = names.map((name) => {
    const host = name === 'tenant-4' ? `no.${ENDPOINT_HOST}` : ENDPOINT_HOST;
    return `${JSON.stringify({ ...one, name, baseUrl: `https://${host}` })}\n`;
  });
  writeFileSync(join(targets, 'targets.jsonl'), lines.join(''));
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  const flags = worldFlags(world)
    .map((word) => `'${word}'`)
    .join(' ');
  const program = `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/cli/main.js')}' "$@" ${flags}\n`;
  writeFileSync(join(bin, 'secure-connectivity'), program);
  chmodSync(join(bin, 'secure-connectivity'), 0o755);
  return { targets, bin };
}

function runPod(
  { command, env, volumeMounts }: Job['template']['spec']['containers'][number],
  { targets, bin, index }: { targets: string; bin: string; index: number },
): Promise<{ exit: number; stdout: string }> {
  const mounted = volumeMounts.find(({ name }) => name === 'targets')?.mountPath ?? '';
  const [program = '', ...words] = command.map((word) => word.replaceAll(mounted, targets));
  return new Promise((done) => {
    execFile(
      program,
      words,
      {
        env: {
          PATH: [bin, process.env.PATH].join(delimiter),
          ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
          JOB_COMPLETION_INDEX: `${index}`,
        },
      },
      (error, stdout) => done({ exit: Number(error?.code ?? 0), stdout }),
    );
  });
}

test('the page shows what its command writes', async () => {
  const page = readFileSync('docs/verify.md', 'utf8');
  const [, command = ''] =
    /^npx secure-connectivity render kubernetes-check (.*)$/m.exec(page) ?? [];
  const [, shown] = /^```yaml\n(apiVersion: batch\/v1\n.*?)^```$/ms.exec(page) ?? [];
  const words = command.replace(/ > \S+$/, '').split(' ');
  const { stdout } = await runHere(['render', 'kubernetes-check', ...words]);
  expect(shown).toBe(stdout);
});

import { EXIT } from '../codes/exit-status.js';
import { writeManifests } from './network-policies.js';

/** The paths at which pods find what is mounted. */
const MOUNTS = {
  targets: '/etc/secure-connectivity',
  keys: '/var/run/secrets/secure-connectivity',
} as const;

/** The file names in the ConfigMap and the Secret. */
const TARGETS_FILE = 'targets.jsonl';
const KEY_FILE = 'private_key.pem';

/** Any but root; the group is the one that may read the mounted keys. */
const USER = 65_532;
const READ_BY_GROUP = 0o440;

/** A check that was not begun by then is left out: the next one is near. */
const START_WITHIN_SECONDS = 300;
const KEEP_SECONDS = 86_400;

export interface KubernetesCheck {
  /** A DNS label; at most {@link longestName} characters. */
  readonly name: string;
  readonly namespace: string;
  /** An image with a shell, Node.js and `secure-connectivity` on the PATH. */
  readonly image: string;
  /** Five fields of cron, in UTC. */
  readonly schedule: string;
  /** Into how many parts the targets are divided, and how many of them run at the same time. */
  readonly shards: number;
  readonly parallelism: number;
  /** Name of the ConfigMap that holds `targets.jsonl`. */
  readonly targets: string;
  /** Name of the Secret that holds `private_key.pem`, or the keys that targets name. */
  readonly secret: string;
  /** Seconds for all shards together. */
  readonly deadlineSeconds: number;
  /** Settings of `verify` by their variables; no secret. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A CronJob adds up to 11 characters, an Indexed Job a hyphen and the index; a pod's host name has 63. */
export function longestName(shards: number): number {
  return Math.min(52, 63 - 11 - 1 - String(shards - 1).length);
}

/**
 * Exit statuses that another pod would end with as well. The other shards continue, and one target may have a wrong key
 * of its own, so that no status ends the whole Job.
 */
const FINAL: readonly number[] = [
  EXIT.preflight,
  ...[EXIT.dns, EXIT.address, EXIT.tcp, EXIT.tls, EXIT.http, EXIT.token, EXIT.workspaces],
  ...[EXIT.connection, EXIT.clock, EXIT.strictWarning, EXIT.doorOpen],
];

/** A CronJob of an Indexed Job, whose pods each check their part of the targets. */
export function kubernetesCheck(check: KubernetesCheck): string {
  const { name, namespace, schedule } = check;
  const labels = {
    'app.kubernetes.io/name': 'secure-connectivity',
    'app.kubernetes.io/component': 'check',
    'app.kubernetes.io/instance': name,
  };
  const cronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace, labels },
    spec: {
      schedule,
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: START_WITHIN_SECONDS,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: { metadata: { labels }, spec: jobSpec(check, labels) },
    },
  };
  return writeManifests([cronJob]);
}

function jobSpec(check: KubernetesCheck, labels: Readonly<Record<string, string>>) {
  return {
    completionMode: 'Indexed',
    completions: check.shards,
    parallelism: check.parallelism,
    activeDeadlineSeconds: check.deadlineSeconds,
    ttlSecondsAfterFinished: KEEP_SECONDS,
    backoffLimitPerIndex: 1,
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        {
          action: 'FailIndex',
          onExitCodes: { containerName: 'check', operator: 'In', values: FINAL },
        },
      ],
    },
    template: { metadata: { labels }, spec: podSpec(check) },
  };
}

function podSpec(check: KubernetesCheck) {
  const { targets, secret } = check;
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [containerSpec(check)],
    volumes: [
      { name: 'targets', configMap: { name: targets } },
      { name: 'keys', secret: { secretName: secret, defaultMode: READ_BY_GROUP } },
    ],
  };
}

function containerSpec({ image, shards, variables }: KubernetesCheck) {
  const env = {
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: `${MOUNTS.keys}/${KEY_FILE}`,
    ...variables,
  };
  // The index begins with 0; `exec` lets signals reach the check.
  const command = `exec secure-connectivity verify --targets ${MOUNTS.targets}/${TARGETS_FILE} --shard "$((JOB_COMPLETION_INDEX + 1))/${shards}"`;
  return {
    name: 'check',
    image,
    command: ['sh', '-c', command],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    resources: {
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '1', memory: '256Mi' },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'targets', mountPath: MOUNTS.targets, readOnly: true },
      { name: 'keys', mountPath: MOUNTS.keys, readOnly: true },
    ],
  };
}

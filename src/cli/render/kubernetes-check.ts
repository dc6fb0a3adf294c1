import { Command, InvalidArgumentError } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import type { KubernetesCheck } from '../../render/kubernetes-check.js';
import { parseArguments } from '../program/arguments.js';
import { writeOutput } from '../program/named-files.js';
import {
  type FlagRow,
  matching,
  readCount,
  readDuration,
  VARIABLE_PREFIX,
} from '../verify/flags/row.js';
import { FLAGS } from '../verify/flags/table.js';

const { enterpriseId, appId, keyId, dnsServer, proxy, timeout, wait, concurrency } = FLAGS;

/** Flags of `verify` that the pods get as variables, as they were typed, once they can be read. */
const PASSED_ON = { enterpriseId, appId, keyId, dnsServer, proxy, timeout, wait, concurrency };

interface Flags
  extends Omit<KubernetesCheck, 'parallelism' | 'deadlineSeconds' | 'variables'>,
    Record<string, unknown> {
  readonly parallelism?: number;
  /** Milliseconds. */
  readonly deadline?: number;
  readonly output?: string;
}

const HELP = `
The pods mount the file targets.jsonl of the ConfigMap, and the Secret with private_key.pem, or with the
keys that targets name. Each pod writes JSON lines to its log.

Exit status: 0 rendered, 2 usage.`;

export async function kubernetesCheck(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity render kubernetes-check')
    .description('Writes a CronJob with an Indexed Job that checks a targets file in shards.')
    .requiredOption('--image <image>', 'image with a shell, Node.js and this package', readImage)
    .option('--targets <name>', 'ConfigMap of the targets', readName, 'connectivity-targets')
    .option('--secret <name>', 'Secret of the keys', readName, 'connectivity-keys')
    .option('--name <name>', 'name of the CronJob', readName, 'connectivity-check')
    .option('--namespace <name>', 'its namespace', readName, 'default')
    .option('--schedule <cron>', 'five fields, in UTC', readSchedule, '*/15 * * * *')
    .option('--shards <n>', 'number of shards of the targets', readShards, 4)
    .option('--parallelism <n>', 'shards checked at the same time (default: all)', readCount)
    .option(
      '--deadline <duration>',
      'time limit for all shards together (default: 1h)',
      readDuration,
    )
    .option('--output <file>', 'write to a file (default: standard output)')
    .addHelpText('after', HELP);
  for (const { flag, about, read } of Object.values<FlagRow>(PASSED_ON)) {
    command.option(flag, about, (text: string) => {
      read?.(text);
      return text;
    });
  }
  const flags = parseArguments<Flags>(command, args);
  const { kubernetesCheck: render, longestName } = await import('../../render/kubernetes-check.js');
  const check = readCheck(flags);
  const most = longestName(check.shards);
  if (check.name.length > most) {
    throw usageError(
      `\`--name\` must have at most ${most} characters, because the pods’ host names contain it, got: "${check.name}"`,
    );
  }
  writeOutput('--output', flags.output, render(check));
  return 0;
}

const MAX_MS = 3_600_000;

function readCheck(flags: Flags): KubernetesCheck {
  const { shards, parallelism = shards, deadline = MAX_MS } = flags;
  const given = Object.entries(PASSED_ON).filter(([key]) => flags[key] !== undefined);
  return {
    ...flags,
    parallelism: Math.min(parallelism, shards),
    deadlineSeconds: Math.max(1, Math.ceil(deadline / 1_000)),
    variables: Object.fromEntries(
      given.map(([key, { variable }]) => [`${VARIABLE_PREFIX}${variable}`, `${flags[key]}`]),
    ),
  };
}

/** A DNS label, as Kubernetes wants its names. */
const readName = matching(
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  'have 1 to 63 lower-case letters, digits and inner hyphens',
);

const readImage = matching(
  /^[a-z0-9][\w./:@-]*$/i,
  'be an image such as registry.example/check:1.2.3',
);

const MAX_SHARDS = 1_000;

function readShards(text: string): number {
  const count = readCount(text);
  if (count <= MAX_SHARDS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SHARDS}.`);
}

/** Other refusals of a server name the problem themselves. */
function readSchedule(text: string): string {
  const fields = text.trim().split(/\s+/);
  if (fields.length === 5 && fields.every((field) => /^[\w*?,/-]+$/.test(field))) {
    return fields.join(' ');
  }
  throw new InvalidArgumentError('It must have the five fields of cron, such as "*/15 * * * *".');
}

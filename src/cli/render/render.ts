import { Argument, Command, InvalidArgumentError } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { alignColumns } from '../../lists/align-columns.js';
import type { KubernetesCheck } from '../../render/kubernetes-check.js';
import type { Target } from '../../render/model.js';
import { TARGETS } from '../../render/target-table.js';
import { collectTexts, parseArguments } from '../program/arguments.js';
import { readNamedJson, writeOutput } from '../program/named-files.js';
import { newCommand } from '../program/new-command.js';
import {
  type FlagRow,
  matching,
  readCount,
  readDuration,
  VARIABLE_PREFIX,
} from '../verify/flags/row.js';
import { FLAGS } from '../verify/flags/table.js';

const HELP = `
Targets:
${alignColumns(TARGETS.map(({ name, about }) => [`  ${name}`, about])).join('\n')}

\`render kubernetes-check\` does not write rules, but a check of many links that Kubernetes runs on a schedule:
\`secure-connectivity render kubernetes-check --help\`.

Exit status: 0 rendered, 2 usage.`;

interface Flags {
  readonly access: string;
  readonly rules?: readonly string[];
  readonly merge?: boolean;
  readonly output?: string;
}

export default async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'kubernetes-check') return await kubernetesCheck(args.slice(1));
  const command = newCommand('render')
    .addArgument(
      new Argument('<target>', 'format to write').choices(TARGETS.map(({ name }) => name)),
    )
    .requiredOption('--access <file>', 'access.json of a synthesized stack')
    .option(
      '--rules <filter>',
      'only rules that match FIELD=VALUE; commas mean AND, repeating the flag means OR',
      collectTexts,
    )
    .option('--merge', 'aggregate adjacent addresses into prefixes that contain no others')
    .option('--output <file>', 'write to a file (default: standard output)')
    .addHelpText('after', HELP);
  const flags = parseArguments<Flags>(command, args);
  const entry = TARGETS.find(({ name }) => name === command.args[0]);
  if (entry === undefined) throw new TypeError('commander let an unknown target through');
  const target = await entry.load();
  writeOutput('--output', flags.output, target.render(await readModel(entry.name, target, flags)));
  return 0;
}

async function readModel(
  name: string,
  { showsRules }: Target,
  { access, rules = [], merge }: Flags,
) {
  const [{ checkAccessModel }, { clientSide, mergeModel, requireClientSide, selectRules }] =
    await Promise.all([
      import('../../access/access-file.js'),
      import('../../render/select-rules.js'),
    ]);
  const model = checkAccessModel(await readNamedJson('--access', access));
  const selected = selectRules(showsRules ? model : clientSide(model), rules);
  if (!showsRules) requireClientSide(selected, name);
  return merge ? mergeModel(selected) : selected;
}

const { enterpriseId, appId, keyId, dnsServer, proxy, timeout, wait, concurrency } = FLAGS;

/** Flags of `verify` that the pods get as variables, as they were typed, once they can be read. */
const PASSED_ON = { enterpriseId, appId, keyId, dnsServer, proxy, timeout, wait, concurrency };

interface CheckFlags
  extends Omit<KubernetesCheck, 'parallelism' | 'deadlineSeconds' | 'variables'>,
    Record<string, unknown> {
  readonly parallelism?: number;
  /** Milliseconds. */
  readonly deadline?: number;
  readonly output?: string;
}

const CHECK_HELP = `
The pods mount the file targets.jsonl of the ConfigMap, and the Secret with private_key.pem, or with the
keys that targets name. Each pod writes JSON lines to its log.

Exit status: 0 rendered, 2 usage.`;

async function kubernetesCheck(args: readonly string[]): Promise<number> {
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
    .addHelpText('after', CHECK_HELP);
  for (const { flag, about, read } of Object.values<FlagRow>(PASSED_ON)) {
    command.option(flag, about, (text: string) => {
      read?.(text);
      return text;
    });
  }
  const flags = parseArguments<CheckFlags>(command, args);
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

function readCheck(flags: CheckFlags): KubernetesCheck {
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

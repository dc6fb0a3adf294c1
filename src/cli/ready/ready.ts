import { Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { withWaitNotice } from '../../progress/waiting.js';
import { DOCUMENT_WRITERS } from '../../report/write.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { RunOptions } from '../../verify/model/options.js';
import { parseArguments } from '../program/arguments.js';
import { writeOutput } from '../program/named-files.js';
import { newCommand } from '../program/new-command.js';
import { terminalOf } from '../program/output.js';
import { readSettings } from '../program/read-settings.js';
import { runOptions, settingNames } from '../verify/command-line.js';
import { addFlags, FLAGS, type Flags } from '../verify/flags/table.js';
import type { MeasureFlags } from './measure/measure.js';
import type { Point } from './readiness.js';

const { enterpriseId, appId, keyId, privateKeyFile, ownAddress, proxy, dnsServer } = FLAGS;
const ROWS = [enterpriseId, appId, keyId, privateKeyFile, ownAddress, proxy, dnsServer];

const MORE_HELP = `
It signs with the key on this machine, queries the DNS server for the API host, and reads the cloud with
the provider's credentials. Nothing is created, and the service is not called. What cannot be known before
the deploy is reported as unknown. If everything is ready, it prints the command that deploys.

With --measure it does something else: after one question it makes, changes and deletes a security group
and a prefix list, and reports what the cloud did with them.

Exit status: 0 ready; otherwise that of the first point that failed: 2 settings, credentials, key,
location, proxy or Terraform, 10 the DNS server, 19 the clock, 22 the cloud. With --measure: 0 measured, and
nothing is left; 1 not approved; 2 usage; 22 something was refused, or is left.`;

/** `secure-connectivity ready`: whether a first deploy can begin here, and what a person has to do. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(newCommand('ready'), ROWS)
    .requiredOption('--settings <file>', 'the settings of one environment')
    .addOption(
      new Option('--format <name>', 'format of the report')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--measure', 'make, change and delete a security group and a prefix list')
    .option('--vpc <id>', 'with --measure: the VPC to measure in')
    .option('--yes', 'with --measure: do not ask')
    .option('--out <file>', 'with --measure: write the report as JSON')
    .addHelpText('after', MORE_HELP);
  const flags = parseArguments<Flags & MeasureFlags & { settings: string }>(command, args);
  if (flags.measure) {
    const { measureCloud } = await import('./measure/measure.js');
    return measureCloud(flags, (await readSettings(flags.settings)).settings);
  }
  refuseForMeasure(flags);
  const { concludeReadiness, readinessDocument, readinessExit } = await import('./readiness.js');
  const options = runOptions(flags, settingNames(command));
  const loaded = await readSettings(flags.settings);
  const points = await withWaitNotice('the key, the DNS server and the cloud', () =>
    readPoints(loaded, options),
  );
  const readiness = concludeReadiness(loaded, flags.settings, points);
  const written = await DOCUMENT_WRITERS[flags.format === 'json' ? 'json' : 'text']({
    document: async () => readinessDocument(readiness),
    text: terminalOf(undefined),
    data: readiness,
  });
  writeOutput('--format', undefined, written);
  return readinessExit(readiness);
}

/** @throws ConnectivityError `usage.invalid` */
function refuseForMeasure({ vpc, yes, out }: MeasureFlags): void {
  const named = Object.entries({ vpc, yes, out }).find(([, value]) => value !== undefined);
  if (named === undefined) return;
  throw usageError(`\`--${named[0]}\` must be given with \`--measure\`, got: none`);
}

/** Everything that a deploy needs, in the order of the report. */
async function readPoints(loaded: LoadedSettings, options: RunOptions): Promise<Point[]> {
  const { settings } = loaded;
  const [{ checkPoints, proxyPoint, terraformPoint }, { cloudPoints }] = await Promise.all([
    import('./runner-points.js'),
    import('./cloud-points.js'),
  ]);
  const { env } = process;
  return [
    ...(await checkPoints(settings, options)),
    await proxyPoint(env, options),
    await terraformPoint(env),
    ...(await cloudPoints(loaded, env)),
  ];
}

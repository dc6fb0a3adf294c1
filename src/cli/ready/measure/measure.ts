import { vpcVpc } from '../../../cloud/table/vpc.js';
import { explainCall } from '../../../cloud-control/cloud-reader.js';
import { type CloudWriter, openCloudWriter } from '../../../cloud-control/cloud-writer.js';
import { usageError } from '../../../codes/connectivity-error.js';
import { jsonParts } from '../../../files/text-parts.js';
import { withWaitNotice } from '../../../progress/waiting.js';
import { textParts } from '../../../report/text.js';
import type { Settings } from '../../../settings/schema.js';
import { requireWritableFolder, writeOutput } from '../../program/named-files.js';
import { terminalOf } from '../../program/output.js';
import { askApproval, Interrupts, signalStatus } from '../../program/signals.js';
import { providerBlock } from '../needed-objects.js';
import { makeProbes } from './probes.js';
import { concludeMeasurement, measurementDocument, measurementExit } from './report.js';
import {
  findLeftovers,
  type Leftover,
  type MeasuredVpc,
  readVpc,
  runMeasurement,
  sayLeftover,
} from './run-measurement.js';

/** The flags of `ready` for a measurement. */
export interface MeasureFlags {
  readonly measure?: true;
  readonly vpc?: string;
  readonly yes?: true;
  readonly out?: string;
  readonly format: 'text' | 'json';
}

/**
 * Makes, changes and deletes a small security group and a prefix list, after one question, and reports what the
 * cloud did with them.
 *
 * @returns the exit status
 * @throws ConnectivityError before anything is made
 */
export async function measureCloud(flags: MeasureFlags, settings: Settings): Promise<number> {
  const { vpc: vpcId = '', yes, out, format } = flags;
  refuseBefore(flags);
  const interrupts = new Interrupts();
  const cloud = await explainCall('the credentials', () =>
    openCloudWriter(providerBlock(settings), process.env),
  );
  try {
    const vpc = await requireVpc(cloud, vpcId);
    const earlier = await withWaitNotice('what earlier runs left in the cloud', () =>
      explainCall('the search for what earlier runs left', () =>
        findLeftovers(cloud, makeProbes(vpcId)),
      ),
    );
    if (!yes && !(await askApproval(questionOf(vpc, settings.region, earlier), interrupts))) {
      process.stderr.write('secure-connectivity: nothing was made\n');
      return interrupts.signal === undefined ? NOT_APPROVED : signalStatus(interrupts.signal);
    }
    const measurement = await withWaitNotice('the cloud', () =>
      runMeasurement(cloud, vpc, earlier, interrupts.aborted),
    );
    const report = concludeMeasurement(measurement, settings.region);
    if (out !== undefined) writeOutput('--out', out, jsonParts(report));
    const text = textParts(measurementDocument(report), terminalOf(undefined));
    writeOutput('--format', undefined, format === 'json' ? jsonParts(report) : text);
    return interrupts.signal === undefined
      ? measurementExit(report)
      : signalStatus(interrupts.signal);
  } finally {
    interrupts.stop();
    await cloud.close();
  }
}

const NOT_APPROVED = 1;

/** @throws ConnectivityError `usage.invalid` */
function refuseBefore({ vpc, yes, out }: MeasureFlags): void {
  if (vpc === undefined || !/^vpc-[\w-]+$/.test(vpc)) {
    throw usageError(
      `\`--vpc\` must be the id of the VPC to measure in, vpc-…, got: ${vpc === undefined ? 'none' : `"${vpc}"`}`,
    );
  }
  if (!yes && !process.stdin.isTTY) {
    throw usageError(
      '`--yes` is required without a terminal, where nobody can approve the measurement, got: none',
    );
  }
  if (out !== undefined) requireWritableFolder('--out', out, 'nothing was made');
}

async function requireVpc(cloud: CloudWriter, id: string): Promise<MeasuredVpc> {
  const { cloudType } = vpcVpc;
  const vpc = await explainCall(`GetResource of ${cloudType} ${id}`, () =>
    readVpc(cloud, cloudType, id),
  );
  if (vpc !== undefined) return vpc;
  throw usageError(
    `\`--vpc\` must be the id of a VPC that exists in this account and region, got: ${id}`,
  );
}

function questionOf({ id }: MeasuredVpc, region: string, earlier: readonly Leftover[]): string {
  const first =
    earlier.length === 0
      ? ''
      : ` First delete what earlier runs left: ${earlier.map(sayLeftover).join(', ')}.`;
  return `Make a security group in ${id} and a prefix list in ${region}, change them and delete them?${first}`;
}

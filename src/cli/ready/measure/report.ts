import { EXIT } from '../../../codes/exit-status.js';
import { counted } from '../../../lists/counted.js';
import { packageVersion } from '../../../package/package-folder.js';
import { listOf, type ReportDocument, tableOf } from '../../../report/document.js';
import { type Finding, judgeRows, UNSPOKEN } from './findings.js';
import type { Operation, Step } from './measure-object.js';
import type { Measurement } from './run-measurement.js';

/** A permission that the cloud says is missing. */
interface MissingPermission {
  readonly what: string;
  readonly operation: Operation;
  /** The actions that the cloud's message names, if it names any. */
  readonly actions: readonly string[];
  readonly message: string;
}

/** A measurement with what it says of the table, as it is written to a file. */
export function concludeMeasurement(measurement: Measurement, region: string) {
  const { run, started, vpc, removed, steps, sets, left } = measurement;
  const rows = judgeRows(measurement);
  return {
    schema: 'secure-connectivity/cloud-measurement@1',
    version: packageVersion(),
    ...{ run, started, region, vpc, removed, steps },
    missingPermissions: steps.flatMap(missingPermissions),
    rows,
    notShown: UNSPOKEN,
    sets,
    /** Null where it could not be read. */
    left: left ?? null,
  };
}

export type MeasurementReport = ReturnType<typeof concludeMeasurement>;

/** 0 if every step was done and nothing is left. */
export function measurementExit({ steps, left }: MeasurementReport): number {
  const isWhole = steps.length > 0 && steps.every(({ isDone }) => isDone);
  return isWhole && left?.length === 0 ? 0 : EXIT.leftBehind;
}

const FORBIDDEN = 403;

function missingPermissions({ what, operation, refusals }: Step): MissingPermission[] {
  return refusals
    .filter(({ code, status }) => status === FORBIDDEN || code.includes('AccessDenied'))
    .map(({ message }) => {
      const actions = message.match(/\b[a-z_]+:[A-Z][A-Za-z]+\b/g) ?? [];
      return { what, operation, actions, message };
    });
}

/** The page to read. */
export function measurementDocument(report: MeasurementReport): ReportDocument {
  const { rows, steps, missingPermissions: missing, notShown, removed, left } = report;
  const refusals = steps.flatMap((step) => step.refusals.map((refusal) => ({ ...refusal, step })));
  return {
    headline: headlineOf(report),
    tone: measurementExit(report) === 0 ? 'passed' : 'failed',
    sections: [
      ...(left?.length === 0 ? [] : [listOf('Left behind', left ?? [UNKNOWN_LEFT])]),
      tableOf('What this says of the table of cloud facts', rows, {
        row: ({ row, part }) => `${row} (${part})`,
        here: ({ verdict }) => verdict,
        evidence: ({ evidence }) => evidence,
        claim: ({ claim }) => claim,
      }),
      listOf('Not shown by a measurement', [notShown.join(', ')]),
      tableOf('From the call until a read showed it', steps, {
        object: ({ what }) => what,
        write: ({ operation }) => operation,
        seconds: ({ seconds, isDone }) => (isDone ? String(seconds) : 'not seen'),
        polls: ({ polls }) => String(polls ?? ''),
        reads: ({ reads }) => String(reads ?? ''),
        refusals: (step) => String(step.refusals.length),
      }),
      ...(refusals.length === 0
        ? []
        : [
            tableOf('Refused', refusals, {
              call: ({ step: { operation, what } }) => `${operation} ${what}`,
              answer: ({ code, status }) => `${code} (${status})`,
              message: ({ message }) => message,
            }),
          ]),
      ...(missing.length === 0
        ? []
        : [listOf('Permissions that are missing', missing.map(sayMissing))]),
      ...(removed.length === 0 ? [] : [listOf('Deleted of earlier runs', removed)]),
    ],
  };
}

const UNKNOWN_LEFT =
  'whether anything is left could not be read; the next run with --measure deletes what is left';

function headlineOf({ vpc, region, started, rows, left }: MeasurementReport): string {
  const count = (verdict: Finding['verdict']) =>
    rows.filter((row) => row.verdict === verdict).length;
  const end =
    left === null
      ? 'whether anything is left is not known'
      : left.length === 0
        ? 'nothing is left behind'
        : `${counted(left.length, 'object is', 'objects are')} left behind`;
  return `measured in ${vpc.id} (${region}) at ${started}: ${count('seen so here')} seen so here, ${count('seen otherwise')} seen otherwise, ${count('not shown')} not shown; ${end}`;
}

function sayMissing({ what, operation, actions, message }: MissingPermission): string {
  const named = actions.join(', ') || 'docs/permissions.md lists the actions; the cloud names none';
  return `to ${operation} a ${what}: ${named} (${message})`;
}

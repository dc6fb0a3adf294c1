import { type VantagePoint, vantagePointText } from '../../../link/vantage-point.js';
import { RUN_TIMEOUT_MS, RUN_WAIT_MS } from '../../../verify/model/options.js';
import { FORMAT_NAMES } from '../output/write-reports.js';
import {
  asTime,
  type FlagRow,
  readDuration,
  readFormat,
  readVantagePoint,
  readWholeNumber,
} from './row.js';

/** Flags for the place and time of the check, and for what counts as a failure. */
export const RUN_FLAGS = {
  runVia: {
    flag: '--run-via <command>',
    about:
      'check from the vantage point that this command reaches, `ssh bastion` or NAME=COMMAND; it needs Node.js, and the key stays here; NAME:closed=COMMAND must not reach a link that another one reaches; repeatable',
    variable: 'RUN_VIA',
    read: readVantagePoint,
    isRepeatable: true,
    option: 'runVia',
    shownInReport: (vantagePoints: readonly VantagePoint[]) =>
      vantagePoints.map(vantagePointText).join('; '),
    repeat: (vantagePoints: readonly VantagePoint[] | undefined) =>
      vantagePoints?.map(vantagePointText),
  },
  timeout: {
    flag: '--timeout <duration>',
    about: `time limit for one attempt, shared by its stages (default: ${RUN_TIMEOUT_MS / 1_000}s)`,
    variable: 'TIMEOUT',
    read: readDuration,
    option: 'timeoutMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  wait: {
    flag: '--wait <duration>',
    about: `keep retrying transient failures for this long (default: ${RUN_WAIT_MS / 1_000}s)`,
    variable: 'WAIT',
    read: readDuration,
    option: 'waitMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  settle: {
    flag: '--settle <n>',
    about: 'require this many passes in a row (default: 1)',
    variable: 'SETTLE',
    read: readWholeNumber,
    option: 'settle',
    shownInReport: true,
  },
  strict: {
    flag: '--strict',
    about: 'exit 21 when there is a warning',
    shownInReport: true,
    repeat: 'never',
  },
  reportOnly: {
    flag: '--report-only',
    about: 'exit 0 whatever the verdict',
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

/** Flags for the contents and the files of the report. */
export const REPORT_FLAGS = {
  title: {
    flag: '--title <text>',
    about: 'title of the report',
    option: 'title',
    repeat: 'never',
  },
  verbose: {
    flag: '--verbose',
    about:
      'also print settings, versions, connect-to rules, the access digest and everything the stages observed',
  },
  format: {
    flag: '--format <format>',
    about: `${FORMAT_NAMES.join(', ')}: to standard output, or to a file with =FILE; repeatable (default: text)`,
    read: readFormat,
    isRepeatable: true,
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

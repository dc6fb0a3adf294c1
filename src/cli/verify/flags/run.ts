import { type VantagePoint, vantagePointText } from '../../../link/vantage-point.js';
import { RUN_TIMEOUT_MS, RUN_WAIT_MS } from '../../../verify/model/options.js';
import {
  asTime,
  type FlagRow,
  FORMAT_NAMES,
  readDuration,
  readFormat,
  readVantagePoint,
  readWholeNumber,
} from './row.js';

/** Flags for the place and time of the check, and for what counts as a failure. */
export const RUN_FLAGS = {
  wait: {
    flag: '--wait <duration>',
    about: `how long to retry what is transient (default: ${RUN_WAIT_MS / 1_000}s)`,
    variable: 'WAIT',
    read: readDuration,
    option: 'waitMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  timeout: {
    flag: '--timeout <duration>',
    about: `time for one attempt (default: ${RUN_TIMEOUT_MS / 1_000}s)`,
    variable: 'TIMEOUT',
    read: readDuration,
    option: 'timeoutMs',
    shownInReport: (value) => `${value} ms`,
    repeat: asTime,
  },
  runVia: {
    flag: '--run-via <command>',
    about:
      'check from where a command leads: `ssh bastion`, NAME=COMMAND, or NAME:closed=COMMAND for where links must be closed; repeatable',
    variable: 'RUN_VIA',
    read: readVantagePoint,
    isRepeatable: true,
    option: 'runVia',
    shownInReport: (vantagePoints: readonly VantagePoint[]) =>
      vantagePoints.map(vantagePointText).join('; '),
    repeat: (vantagePoints: readonly VantagePoint[] | undefined) =>
      vantagePoints?.map(vantagePointText),
  },
  settle: {
    flag: '--settle <n>',
    about: 'passes in a row that are required (default: 1)',
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
  format: {
    flag: '--format <format>',
    about: `${FORMAT_NAMES.join(', ')}: alone, or with =FILE to a file; repeatable (default: text)`,
    read: readFormat,
    isRepeatable: true,
    repeat: 'never',
  },
  verbose: {
    flag: '--verbose',
    about: 'also print settings, versions and all that was seen',
  },
  title: {
    flag: '--title <text>',
    about: 'title of the report',
    option: 'title',
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

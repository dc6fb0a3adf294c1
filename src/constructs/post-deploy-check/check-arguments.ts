import { ConnectivityError } from '../../codes/connectivity-error.js';
import { misplacedSecrets } from '../../codes/secrets.js';
import { type RunVia, readVantagePoints, vantagePointText } from '../../link/vantage-point.js';

/** In the folder of the synthesized stack. */
export const RESULT_FILE = 'connectivity-check.json';

interface Where {
  readonly runVia?: RunVia | undefined;
}

interface Waiting {
  readonly waitSeconds?: number;
}

/** What names a place, and what leads there, is written into the stack. */
export function placeProblems(props: Where): string[] {
  try {
    const texts = placeTexts(props);
    return misplacedSecrets({ runVia: texts.join(' ') });
  } catch (error) {
    if (error instanceof ConnectivityError) return [error.message];
    throw error;
  }
}

/** @throws ConnectivityError `usage.invalid` */
export function placeTexts({ runVia }: Where): string[] {
  return runVia === undefined ? [] : readVantagePoints(runVia, 'runVia').map(vantagePointText);
}

/** What follows `verify`. */
export function checkArguments(props: Where & Waiting): string[] {
  const { waitSeconds = 300 } = props;
  const places = placeTexts(props).flatMap((text) => ['--run-via', text]);
  const report = ['--report-only', '--format', `json=${RESULT_FILE}`];
  const wait = ['--wait', waitText(waitSeconds)];
  return ['--links-from-environment', ...wait, ...places, ...report];
}

/** Whole milliseconds where it has parts of a second: a small number is written with an exponent. */
function waitText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}

import type { IncomingHttpHeaders } from 'node:http';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { redact } from '../../codes/redact.js';
import { TimedOut } from '../../service/http/limits.js';
import { prometheusReport } from '../../verify/reports/prometheus.js';
import { Busy, type LinkChecks } from './link-checks.js';

/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** @default 'text/plain; charset=utf-8' */
  readonly type?: string;
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const SCRAPE_TIMEOUT = 'x-prometheus-scrape-timeout-seconds';

export function metrics(text: string): Answer {
  return { status: 200, text, type: METRICS_TYPE };
}

/** One line for whoever asked. */
export function line(status: number, text: string): Answer {
  return { status, text: `${redact(text)}\n` };
}

/** Checks the link that the query names. @param signal ends when the caller has left */
export async function probe(
  checks: LinkChecks,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  signal: AbortSignal,
): Promise<Answer> {
  const other = [...query.keys()].find((name) => name !== 'link');
  if (other !== undefined) {
    return line(400, `the only parameter is \`link\`, got: ${JSON.stringify(other)}`);
  }
  const [name = '', ...more] = query.getAll('link');
  if (name === '' || more.length > 0) {
    return line(400, '`link` must be given once, as /probe?link=NAME');
  }
  const scrapeMs = scrapeTimeout(headers);
  if (Number.isNaN(scrapeMs)) {
    return line(
      400,
      `\`${SCRAPE_TIMEOUT}\` must be a number of seconds above 0, got: ${JSON.stringify(headers[SCRAPE_TIMEOUT])}`,
    );
  }
  try {
    const verification = await checks.check(name, { signal, scrapeMs });
    return verification === undefined
      ? line(404, `no link has the name ${JSON.stringify(name)}; /targets lists them`)
      : metrics(prometheusReport(verification));
  } catch (error) {
    return failure(error);
  }
}

/** Targets as Prometheus discovers them over HTTP: a label `__address__` holds the name of each link. */
export function targets(names: readonly string[]): Answer {
  const text = `${JSON.stringify([{ targets: names }])}\n`;
  return { status: 200, text, type: 'application/json' };
}

/** @returns milliseconds; undefined where nothing is said, NaN where it is no such time */
function scrapeTimeout(headers: IncomingHttpHeaders): number | undefined {
  const text = headers[SCRAPE_TIMEOUT];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1_000 : Number.NaN;
}

function failure(error: unknown): Answer {
  if (error instanceof TimedOut || error instanceof Busy) return line(503, error.message);
  if (error instanceof ConnectivityError) return line(500, error.message);
  throw error;
}

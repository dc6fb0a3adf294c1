import { factsOf } from '../../../codes/codes.js';
import {
  readVantagePoints,
  type VantagePoint,
  vantagePointText,
} from '../../../link/vantage-point.js';
import { mapLimited } from '../../../lists/map-limited.js';
import { findPatterns } from '../../model/failure-patterns.js';
import { RUN_WAIT_MS, SENT_OPTIONS, settingName, type VerifyOptions } from '../../model/options.js';
import type { Progress, Verification } from '../../model/verification.js';
import { readListed } from '../../transport/addresses.js';
import type { RunContext } from '../../transport/context.js';
import { readCertificates } from '../../transport/tls/trust.js';
import { assembleVerification } from '../assemble-verification.js';
import { pause, retryDelay } from '../pause.js';
import { prepareRun } from '../prepare-run.js';
import { type AskContext, askVantagePoint } from './ask-vantage-point.js';
import type { Order } from './messages.js';
import { farProgram, VantagePointFailure } from './vantage-point-process.js';
import { reportUnreached, trustedReport, type VantagePointReport } from './vantage-point-report.js';

const AT_ONCE = 8;

interface ViaRun extends Pick<AskContext, 'signer' | 'program'> {
  readonly options: VerifyOptions;
  readonly order: Order;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Names a link that is checked from a vantage point. */
  readonly nameAt: (link: string, vantagePoint: string) => string;
}

/**
 * Checks each link from each vantage point. The key stays here: a vantage point asks for every JWT
 * that it sends.
 *
 * @throws ConnectivityError `usage.invalid`, before anything is started
 */
export async function verifyVia(options: VerifyOptions): Promise<Verification> {
  const vantagePoints = readVantagePoints(options.runVia ?? [], settingName(options, 'runVia'));
  const start = performance.now();
  const run = await prepareRun(options);
  const [order, program] = await Promise.all([makeOrder(options, run), farProgram()]);
  const nameAt = (link: string, vantagePoint: string) =>
    vantagePoints.length === 1 ? link : `${link}@${vantagePoint}`;
  const via = { signer: run.signer, options, order, program, startedAt: start, nameAt };
  const reports = await mapLimited(vantagePoints, AT_ONCE, (one) => checkFrom(via, one));
  const links = reports.flatMap((report) => report.links);
  const patterns = findPatterns(links);
  return assembleVerification(options, run, start, {
    links,
    backends: reports.flatMap((report) => report.backends),
    skewsMs: reports.flatMap((report) => report.skewMs ?? []),
    vantagePoints: vantagePoints.map((one, i) => ({
      name: one.name,
      command: vantagePointText(one).slice(one.name.length + 1),
      ...(reports[i]?.environment && { environment: reports[i].environment }),
    })),
    ...(patterns.length > 0 && { patterns }),
  });
}

/** Asks a vantage point, and retries transient failures for as long as the check may wait. */
async function checkFrom(via: ViaRun, vantagePoint: VantagePoint): Promise<VantagePointReport> {
  const { options, order, program, startedAt, signer, nameAt } = via;
  const { waitMs = RUN_WAIT_MS, signal, onProgress } = options;
  const { name } = vantagePoint;
  const tell = (progress: Progress) =>
    onProgress?.({ ...progress, link: nameAt(progress.link, name) });
  const named = ({ links, backends, ...rest }: VantagePointReport): VantagePointReport => ({
    ...rest,
    links: links.map((link) => ({ ...link, name: nameAt(link.name, name), vantagePoint: name })),
    backends: backends.map((one) => ({ ...one, name: nameAt(one.name, name), vantagePoint: name })),
  });
  const start = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    const leftMs = Math.max(0, startedAt + waitMs - performance.now());
    const asked = { ...order, options: { ...order.options, waitMs: leftMs } };
    const context = { signer, program, signal, onProgress: tell };
    try {
      return named(trustedReport(await askVantagePoint(vantagePoint, asked, context), order));
    } catch (error) {
      if (!(error instanceof VantagePointFailure)) throw error;
      const stillMs = startedAt + waitMs - performance.now();
      if (signal?.aborted || stillMs <= 0 || !factsOf(error.code).isRetryable) {
        const elapsedMs = performance.now() - start;
        const report = reportUnreached(order, error, { attempts, elapsedMs });
        for (const { name: link, verdict } of report.links) tell({ kind: 'link', link, verdict });
        return named(report);
      }
      const nextInMs = retryDelay(attempts, options, stillMs);
      for (const { name: link } of order.links) {
        tell({ kind: 'retry', link, attempt: attempts, code: error.code, nextInMs });
      }
      await pause(nextInMs, signal);
    }
  }
}

/**
 * Builds the request to every vantage point; files are read here.
 *
 * @throws ConnectivityError `usage.invalid`
 */
async function makeOrder(options: VerifyOptions, { signer }: RunContext): Promise<Order> {
  const { links, plugins = [], caFile, connectTo, ownAddresses } = options;
  const { privateKey: _, privateKeyFile: __, ...credentials } = options.credentials ?? {};
  const listed = (field: 'connectTo' | 'ownAddresses', texts: readonly string[]) =>
    readListed(settingName(options, field), texts);
  return {
    options: {
      ...Object.fromEntries(SENT_OPTIONS.map((name) => [name, options[name]])),
      ...(connectTo && { connectTo: await listed('connectTo', connectTo) }),
      ...(ownAddresses && { ownAddresses: await listed('ownAddresses', ownAddresses) }),
      credentials,
    },
    links,
    plugins,
    keySource: signer.source,
    ...(caFile !== undefined && {
      authorities: await readCertificates(caFile, options),
    }),
  };
}

import { factsOf, splitReason } from '../../../codes/codes.js';
import { usageError } from '../../../codes/connectivity-error.js';
import { present } from '../../../files/json.js';
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
import { type Seen, tryClosed } from './expected-closed.js';
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
  const closed = vantagePoints.filter(({ expect }) => expect === 'closed');
  if (closed.length > 0) refuseProxy(options);
  const start = performance.now();
  const run = await prepareRun(options);
  const [order, program] = await Promise.all([makeOrder(options, run), farProgram()]);
  const nameAt = (link: string, vantagePoint: string) =>
    vantagePoints.length === 1 ? link : `${link}@${vantagePoint}`;
  const via = { signer: run.signer, options, order, program, startedAt: start, nameAt };
  const reached = await askAll(
    via,
    vantagePoints.filter((one) => !closed.includes(one)),
  );
  const links = reached.flatMap((report) => report.links);
  const patterns = findPatterns(links);
  const all = [...reached];
  const ask = async (from: readonly VantagePoint[], own: Order) => {
    const seen = await askAll(
      { ...via, order: own, options: { ...options, onProgress: undefined } },
      from,
    );
    all.push(...seen);
    return seen;
  };
  const expectedClosed =
    closed.length > 0 ? await tryClosed(closed, reached, order, ask) : undefined;
  return assembleVerification(options, run, start, {
    links,
    backends: reached.flatMap((report) => report.backends),
    ...present({ expectedClosed }),
    skewsMs: reached.flatMap((report) => report.skewMs ?? []),
    vantagePoints: vantagePoints.map((one) => {
      const { name, command, expect } = one;
      const environment = all.find(({ vantagePoint }) => vantagePoint === one)?.environment;
      const text = vantagePointText({ name, command }).slice(name.length + 1);
      return { name, command: text, ...present({ expect, environment }) };
    }),
    ...(patterns.length > 0 && { patterns }),
  });
}

/** Whoever answers a proxy's client is not shown to be the door. @throws ConnectivityError `usage.invalid` */
function refuseProxy(options: VerifyOptions): void {
  if (options.proxy === undefined) return;
  const [via, proxy] = ['runVia', 'proxy'].map((field) => settingName(options, field));
  throw usageError(
    `\`${via}\` with a vantage point that is expected to be closed cannot be used with \`${proxy}\`: the proxy would answer in place of the door`,
  );
}

type SeenReport = Seen & VantagePointReport;

async function askAll(via: ViaRun, from: readonly VantagePoint[]): Promise<SeenReport[]> {
  return await mapLimited(from, AT_ONCE, async (vantagePoint) => {
    const report = await checkFrom(via, vantagePoint);
    return { vantagePoint, ...report, at: new Date().toISOString() };
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
    // A door that is to be closed is not waited for.
    const ownMs = order.connectOnly ? 0 : leftMs;
    const asked = { ...order, options: { ...order.options, waitMs: ownMs } };
    const context = { signer, program, signal, onProgress: tell };
    try {
      return named(trustedReport(await askVantagePoint(vantagePoint, asked, context), order));
    } catch (error) {
      if (!(error instanceof VantagePointFailure)) throw error;
      const stillMs = startedAt + waitMs - performance.now();
      if (signal?.aborted || stillMs <= 0 || !factsOf(error.reason).isRetryable) {
        const elapsedMs = performance.now() - start;
        const report = reportUnreached(order, error, { attempts, elapsedMs });
        for (const { name: link, verdict } of report.links) tell({ kind: 'link', link, verdict });
        return named(report);
      }
      const { code } = splitReason(error.reason);
      const nextInMs = retryDelay(attempts, options, stillMs);
      for (const { name: link } of order.links) {
        tell({ kind: 'retry', link, attempt: attempts, code, nextInMs });
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

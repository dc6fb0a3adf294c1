import { factsOf } from '../../../codes/codes.js';
import {
  readVantagePoints,
  type VantagePoint,
  vantagePointText,
} from '../../../link/vantage-point.js';
import { type Progress, settingName, type VerifyOptions } from '../../model/options.js';
import { placePatterns } from '../../model/place-patterns.js';
import type { LinkResult, Verification } from '../../model/verification.js';
import { readListed } from '../../transport/connect-to.js';
import type { RunContext } from '../../transport/context.js';
import { mapLimited } from '../../transport/limiter.js';
import { readCertificates } from '../../transport/tls/trust.js';
import { prepareRun } from '../prepare-run.js';
import { pause, retryDelay } from '../retry.js';
import { assembleVerification } from '../verify-here.js';
import { askPlace } from './ask-place.js';
import { type Order, SENT } from './messages.js';
import { farProgram, PlaceFailure } from './place-process.js';
import { type PlaceReport, trustedReport, unreachedPlace } from './place-report.js';

const PLACES_AT_ONCE = 8;

/** A run over all places. */
interface ViaRun {
  readonly run: RunContext;
  readonly options: VerifyOptions;
  readonly order: Order;
  readonly program: string;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** What a link is called that is checked from a place. */
  readonly nameAt: (link: string, place: string) => string;
}

/**
 * Checks each link from each place. The key stays here: a place asks for every JWT that it sends.
 *
 * @throws ConnectivityError `usage.invalid`, before anything is started
 */
export async function verifyVia(options: VerifyOptions): Promise<Verification> {
  const places = readVantagePoints(options.runVia ?? [], settingName(options, 'runVia'));
  const start = performance.now();
  const run = await prepareRun(options);
  const [order, program] = await Promise.all([placeOrder(options, run), farProgram()]);
  const nameAt = (link: string, place: string) => (places.length === 1 ? link : `${link}@${place}`);
  const via: ViaRun = { run, options, order, program, startedAt: start, nameAt };
  const reports = await mapLimited(places, PLACES_AT_ONCE, (place) => checkPlace(via, place));
  const links = await withChanges(options, reports);
  const patterns = placePatterns(links);
  return await assembleVerification(options, run, start, {
    links,
    backends: reports.flatMap((report) => report.backends),
    skewsMs: reports.map((report) => report.skewMs),
    places: places.map((place, i) => ({
      name: place.name,
      command: vantagePointText(place).slice(place.name.length + 1),
      ...(reports[i]?.environment && { environment: reports[i].environment }),
    })),
    ...(patterns.length > 0 && { patterns }),
  });
}

/** Asks a place, and again while that fails for what may pass and the time to wait lasts. */
async function checkPlace(via: ViaRun, place: VantagePoint): Promise<PlaceReport> {
  const { options, order, program, startedAt, run, nameAt } = via;
  const { waitMs = 0, retryDelayMs, signal, onProgress } = options;
  const { name } = place;
  const tell = (progress: Progress) =>
    onProgress?.({ ...progress, link: nameAt(progress.link, name) });
  const named = ({ links, backends, ...rest }: PlaceReport): PlaceReport => ({
    ...rest,
    links: links.map((link) => ({ ...link, name: nameAt(link.name, name), place: name })),
    backends: backends.map((one) => ({ ...one, name: nameAt(one.name, name), place: name })),
  });
  const start = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    const leftMs = Math.max(0, startedAt + waitMs - performance.now());
    const asked = { ...order, options: { ...order.options, waitMs: leftMs } };
    const context = { signer: run.signer, program, signal, onProgress: tell };
    try {
      return named(trustedReport(await askPlace(place, asked, context), order));
    } catch (error) {
      if (!(error instanceof PlaceFailure)) throw error;
      const left = startedAt + waitMs - performance.now();
      if (signal?.aborted || left <= 0 || factsOf(error.code).kind === 'final') {
        const elapsedMs = performance.now() - start;
        const report = unreachedPlace(order, error, { options, attempts, elapsedMs });
        for (const { name: link, verdict } of report.links) tell({ kind: 'link', link, verdict });
        return named(report);
      }
      const retry = { firstMs: retryDelayMs, failuresInARow: attempts, leftMs: left };
      const nextInMs = retryDelay(retry);
      for (const { name: link } of order.links) {
        tell({ kind: 'retry', link, attempt: attempts, code: error.code, nextInMs });
      }
      await pause(nextInMs, signal);
    }
  }
}

/** The links of all places, with their changes against the baseline, which is here. */
async function withChanges(
  { baseline, links: asked }: VerifyOptions,
  reports: readonly PlaceReport[],
): Promise<LinkResult[]> {
  if (baseline === undefined) return reports.flatMap(({ links }) => links);
  const { changesSince } = await import('../baseline.js');
  return reports.flatMap(({ links }) =>
    links.map((result, i) => {
      const link = asked[i];
      return link ? { ...result, changes: changesSince(baseline, result, link) } : result;
    }),
  );
}

/** What every place is asked; files are read here. @throws ConnectivityError `usage.invalid` */
async function placeOrder(options: VerifyOptions, { signer }: RunContext): Promise<Order> {
  const { links, plugins = [], caFile, connectTo, ownAddresses } = options;
  const { privateKey: _, privateKeyFile: __, ...credentials } = options.credentials ?? {};
  const listed = async (field: 'connectTo' | 'ownAddresses', texts: readonly string[]) =>
    (await Promise.all(texts.map((text) => readListed(settingName(options, field), text)))).flat();
  return {
    options: {
      ...Object.fromEntries(SENT.map((name) => [name, options[name]])),
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

import { mapLimited } from '../../lists/map-limited.js';
import type { VerifyOptions } from '../model/options.js';
import type { Verification } from '../model/verification.js';
import type { RunContext } from '../transport/context.js';
import { affordable } from '../transport/limiter.js';
import { assembleVerification } from './assemble-verification.js';
import { checkBackends } from './check-backends.js';
import { checkLink, loadDiagnosis } from './check-link.js';
import { type GivenParts, prepareRun } from './prepare-run.js';

const LINKS_AT_ONCE = 8;

/** Checks each link from this machine. @throws ConnectivityError `usage.invalid`, before the first packet */
export async function verifyHere(
  options: VerifyOptions,
  given?: GivenParts,
): Promise<Verification> {
  const start = performance.now();
  const run = await prepareRun(options, given);
  return await assembleVerification(options, run, start, await checkAll(options, run, start));
}

async function checkAll(options: VerifyOptions, run: RunContext, startedAt: number) {
  const { links, plugins = [], concurrency = LINKS_AT_ONCE } = options;
  if (links.length > 1) await loadDiagnosis();
  const [checked, backends] = await Promise.all([
    mapLimited(links, affordable(concurrency), (link) => checkLink(run, link, startedAt)),
    checkBackends(run, plugins, startedAt),
  ]);
  return {
    links: checked.map(({ result }) => result),
    backends,
    skewsMs: checked.flatMap(({ skewMs }) => skewMs ?? []),
  };
}

import { pace } from '../../service/open-files.js';
import type { VerifyOptions } from '../model/options.js';
import type { Verification } from '../model/verification.js';
import { mapLimited } from '../transport/limiter.js';
import { assembleVerification } from './assemble-verification.js';
import { checkBackends } from './check-backends.js';
import { checkLink, loadParts } from './check-link.js';
import { affordable } from './open-files.js';
import { type GivenParts, prepareRun } from './prepare-run.js';

const LINKS_AT_ONCE = 8;

/** Checks each link from this machine. @throws ConnectivityError `usage.invalid`, before the first packet */
export async function verifyHere(
  options: VerifyOptions,
  given?: GivenParts,
): Promise<Verification> {
  const start = performance.now();
  const run = await prepareRun(options, given);
  if (options.links.length > 1) await loadParts(options);
  const [checked, backends] = await Promise.all([
    mapLimited(options.links, affordable(options.concurrency ?? LINKS_AT_ONCE), (link) =>
      pace.run(() => checkLink(run, link, start)),
    ),
    checkBackends(run, options.plugins ?? [], start),
  ]);
  return await assembleVerification(options, run, start, {
    links: checked.map(({ result }) => result),
    backends,
    skewsMs: checked.map(({ skewMs }) => skewMs),
  });
}

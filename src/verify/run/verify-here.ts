import { redactAll } from '../../codes/redact.js';
import { pace } from '../../service/open-files.js';
import { commonDigest } from '../model/access-digest.js';
import type { VerifyOptions } from '../model/options.js';
import { worstVerdict } from '../model/verdict.js';
import type { Change, LinkResult, Verification } from '../model/verification.js';
import { VERIFICATION_SCHEMA } from '../model/verification-names.js';
import { checkBackends } from './check-backends.js';
import { type CheckedLink, checkLink, loadParts } from './check-link.js';
import { connectionResults } from './connection-results.js';
import { mapLimited } from './map-limited.js';
import { affordable } from './open-files.js';
import { type GivenParts, prepareRun } from './prepare-run.js';
import { runEnvironment } from './run-environment.js';

const LINKS_AT_ONCE = 8;

/** Checks each link from this machine. @throws ConnectivityError `usage.invalid`, before the first packet */
export async function verifyHere(
  options: VerifyOptions,
  given?: GivenParts,
): Promise<Verification> {
  const connections = connectionResults(options.connections ?? []);
  const { plugins = [] } = options;
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const run = await prepareRun(options, given);
  if (options.links.length > 1) await loadParts(options);
  const [checked, backends] = await Promise.all([
    mapLimited(options.links, affordable(options.concurrency ?? LINKS_AT_ONCE), (link) =>
      pace.run(() => checkLink(run, link, start)),
    ),
    checkBackends(run, plugins, start),
  ]);
  const links = checked.map(({ result }) => result);
  const skewMs = largestSkew(checked);
  const changes = await changesOf(options, links);
  return redactAll({
    schema: VERIFICATION_SCHEMA,
    ...(options.title !== undefined && { title: options.title }),
    verdict: worstVerdict(links.map(({ verdict }) => verdict)),
    startedAt,
    elapsedMs: Math.round(performance.now() - start),
    ...commonDigest(links),
    ...(skewMs !== undefined && { skewMs }),
    settings: [...(options.settings ?? [])],
    links,
    environment: runEnvironment(run),
    ...(connections.length > 0 && { connections }),
    ...(backends.length > 0 && { backends }),
    ...(changes.length > 0 && { changes }),
  });
}

async function changesOf(
  { baseline }: VerifyOptions,
  links: readonly LinkResult[],
): Promise<Change[]> {
  if (baseline === undefined) return [];
  const { goneSince } = await import('./baseline/changes-since.js');
  return goneSince(baseline, links);
}

function largestSkew(checked: readonly CheckedLink[]): number | undefined {
  return checked
    .flatMap(({ skewMs }) => skewMs ?? [])
    .sort((a, b) => Math.abs(b) - Math.abs(a))
    .at(0);
}

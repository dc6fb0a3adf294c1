import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { redactAll } from '../../codes/redact.js';
import { refuseSecrets } from '../../codes/secrets.js';
import type { Connection } from '../../link/link.js';
import { pace } from '../../service/open-files.js';
import { commonDigest } from '../model/access-digest.js';
import type { VerifyOptions } from '../model/options.js';
import { worstVerdict } from '../model/verdict.js';
import type { Change, ConnectionResult, LinkResult, Verification } from '../model/verification.js';
import { VERIFICATION_SCHEMA } from '../model/verification-names.js';
import { checkBackends } from './check-backends.js';
import { type CheckedLink, checkLink, loadParts } from './check-link.js';
import { mapLimited } from './map-limited.js';
import { affordable } from './open-files.js';
import { prepareRun } from './prepare-run.js';
import { runEnvironment } from './run-environment.js';

const LINKS_AT_ONCE = 8;

/**
 * Checks each link, stage by stage. A link that fails is a result, not an error; nothing is printed.
 *
 * @throws ConnectivityError `usage.invalid`, before the first packet
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const connections = connectionResults(options.connections ?? []);
  const { plugins = [] } = options;
  if (options.links.length + connections.length + plugins.length === 0) {
    throw new ConnectivityError('usage.invalid', '`links` must have at least one link, got: none');
  }
  refuseSecrets({ links: options.links, connections, plugins });
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const run = await prepareRun(options);
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

const WAITING: readonly string[] = ['PendingAcceptance', 'Connecting'];
const CUT: readonly string[] = ['Rejected', 'Disconnecting'];

/** What the deploy said of connections; nothing of it was seen by the check. */
function connectionResults(connections: readonly Connection[]): ConnectionResult[] {
  return connections.map(({ name, serviceId, endpointId, ownerAccountId, status }) => {
    const code = codeOf(status);
    return {
      name,
      serviceId,
      endpointId,
      ownerAccountId,
      status,
      asOf: 'deploy',
      ...(code !== undefined && { code }),
    };
  });
}

function codeOf(status: string): Code | undefined {
  if (status === 'Connected') return undefined;
  if (WAITING.includes(status)) return 'connection.pending';
  return CUT.includes(status) ? 'connection.rejected' : 'connection.failed';
}

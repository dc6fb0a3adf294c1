import { getServers } from 'node:dns';
import { release } from 'node:os';
import type { Code } from '../../codes/codes.js';
import { present } from '../../files/json.js';
import type { Connection } from '../../link/link.js';
import { toolName } from '../../package/package-folder.js';
import type { VerifyOptions } from '../model/options.js';
import { makeVerification, type Results } from '../model/verdict.js';
import type { ConnectionResult, RunEnvironment, Verification } from '../model/verification.js';
import type { RunContext } from '../transport/context.js';

/**
 * Makes the report of a run that ends now.
 *
 * @param start milliseconds of `performance.now()`, when the run began
 * @param seen from here or from several vantage points
 */
export function assembleVerification(
  options: VerifyOptions,
  run: RunContext,
  start: number,
  seen: Pick<
    Results,
    'links' | 'backends' | 'expectedClosed' | 'skewsMs' | 'vantagePoints' | 'patterns'
  >,
): Verification {
  const elapsedMs = Math.round(performance.now() - start);
  const { title, settings = [], connections = [] } = options;
  return makeVerification({
    title,
    elapsedMs,
    startedAt: new Date(Date.now() - elapsedMs).toISOString(),
    settings: [...settings],
    environment: runEnvironment(run),
    ...seen,
    connections: connectionResults(connections),
  });
}

const WAITING: readonly string[] = ['PendingAcceptance', 'Connecting'];

/** Reports what the deploy recorded of connections; the check saw none of it. */
function connectionResults(connections: readonly Connection[]): ConnectionResult[] {
  return connections.map(({ name, serviceId, endpointId, ownerAccountId, status }) => {
    const known = { name, serviceId, endpointId, ownerAccountId, status };
    return { ...known, asOf: 'deploy', ...present({ code: connectionCode(status) }) };
  });
}

function connectionCode(status: string): Code | undefined {
  if (status === 'Connected') return undefined;
  return WAITING.includes(status) ? 'connection.pending' : 'connection.lost';
}

/** Files of authorities that Node.js or OpenSSL may be configured with; their paths are shown. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

type Variable = RunEnvironment['proxies'][number];

/** Describes the versions and settings of the run, which support asks for first. */
function runEnvironment({ options, dnsServer, proxy, ownAddresses }: RunContext): RunEnvironment {
  const { caFile } = options;
  const trust = TRUST.flatMap((name) => variable(name, process.env[name]));
  return {
    tool: toolName(),
    node: process.version,
    openssl: process.versions.openssl,
    platform: `${process.platform} ${process.arch} ${release()}`,
    ...(ownAddresses.length > 0 && { ownAddresses: [...ownAddresses] }),
    resolvers: dnsServer === undefined ? getServers() : [dnsServer],
    proxies: [
      ...variable('--proxy', proxy?.shown),
      ...Object.entries(options.environment ?? {}).flatMap(([name, value]) =>
        variable(name, value && shown(name, value)),
      ),
    ],
    trust: [...variable('--ca-file', caFile), ...trust],
  };
}

function variable(name: string, value = ''): Variable[] {
  return value === '' ? [] : [{ name, value }];
}

/** Shows only what is known to be no secret: of a URL its scheme, host and port. */
function shown(name: string, value: string): string {
  if (/^no_proxy$/i.test(name)) {
    return value.replace(/[^\s,]+/g, (entry) =>
      !/[@/]/.test(entry) || /^[\d.:a-f]+\/\d+$/i.test(entry) ? entry : '…',
    );
  }
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return 'no URL';
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

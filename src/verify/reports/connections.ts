import { counted } from '../../lists/counted.js';
import { exitOf } from '../model/verdict.js';
import type {
  BackendResult,
  ConnectionResult,
  Finding,
  LinkResult,
  Verification,
} from '../model/verification.js';

type Counted = Pick<Verification, 'links' | 'connections' | 'backends'>;

/**
 * The limit of a check on the enterprise's side; the ACL of the listener keeps it out, as it
 * should.
 */
export const ONLY_THE_SERVICE =
  "Only a call from the service's side proves the path over the connection and through the listener, whose ACL admits only the service: call the plugin once.";

/** A connection of a private plugin, or a server behind it, as every report shows it. */
export interface PluginRow {
  readonly name: string;
  readonly via: 'plugin-endpoint-service';
  readonly path: string;
  /** The title of a test case. */
  readonly title: string;
  readonly label: string;
  /** The source of the state: the deploy's record, or this check. */
  readonly lead: 'deployed' | 'seen';
  readonly state: string;
  readonly status: Finding['status'];
  readonly code?: string | undefined;
  readonly elapsedMs: number;
}

export function pluginRows({
  connections = [],
  backends = [],
}: Omit<Counted, 'links'>): PluginRow[] {
  return [...connections.map(connectionRow), ...backends.map(backendRow)];
}

function connectionRow(connection: ConnectionResult): PluginRow {
  const { name, endpointId, ownerAccountId, serviceId, status, code } = connection;
  return {
    name,
    via: 'plugin-endpoint-service',
    path: `${endpointId} of ${ownerAccountId} to ${serviceId}`,
    title: `connection ${endpointId}`,
    label: `${status} at deploy time`,
    lead: 'deployed',
    // In words that claim nothing of now.
    state: `${status} at deploy time (not re-checked)`,
    status: code === undefined ? 'skipped' : 'failed',
    code,
    elapsedMs: 0,
  };
}

const HEALTH = { passed: 'healthy', failed: 'not healthy', skipped: 'not checked' } as const;

/** Describes a server's health; a run that ended early says nothing of it. */
function healthText({ status, code }: BackendResult): string {
  return HEALTH[code?.startsWith('run.') ? 'skipped' : status];
}

function backendRow(backend: BackendResult): PluginRow {
  const { name, serviceId, server, status, code, seen, connectedTo, elapsedMs } = backend;
  return {
    name,
    via: 'plugin-endpoint-service',
    path: server === undefined ? `servers of ${serviceId}` : `server ${server} of ${serviceId}`,
    title: server === undefined ? 'servers' : `server ${server}`,
    label: healthText(backend),
    lead: 'seen',
    state: `${healthText(backend)}: ${seen}${connectedTo === undefined ? '' : ` (connect-to ${connectedTo})`}`,
    status,
    code,
    elapsedMs,
  };
}

/** Those last that are good. */
export function worstFirst<T>(items: readonly T[], isGood: (item: T) => boolean): T[] {
  return items.toSorted((a, b) => Number(isGood(a)) - Number(isGood(b)));
}

export function isReachable({ verdict }: Pick<LinkResult, 'verdict'>): boolean {
  return verdict === 'reachable';
}

/**
 * Counts the reachable links, the connections that the deploy left connected, and the healthy
 * servers.
 */
export function counts({ links, connections = [], backends = [] }: Counted): string {
  const reachable = links.filter(isReachable).length;
  const connected = connections.filter(({ code }) => code === undefined).length;
  const healthy = backends.filter(({ status }) => status === 'passed').length;
  const servers = backends.filter(({ server }) => server !== undefined).length;
  return [
    links.length > 0 && `${reachable} of ${counted(links.length, 'link')} reachable`,
    connections.length > 0 &&
      `${connected} of ${counted(connections.length, 'plugin connection')} connected at deploy time`,
    servers > 0 && `${healthy} of ${counted(servers, 'plugin server')} seen healthy`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** The outcome in one line: the verdict is of the links alone. @param verdict in the words of the report */
export function headline(
  { links, connections = [], backends = [] }: Counted,
  verdict: string,
): string {
  const lost = connections.filter(({ code }) => code !== undefined).length;
  const seen = links.length > 0 ? verdict : 'no link checked';
  const [unchecked, sick] = ['not checked', 'not healthy'].map(
    (health) => backends.filter((each) => each.code && healthText(each) === health).length,
  );
  const servers = counted(backends.length, 'plugin server');
  const wrong = [
    lost > 0 &&
      `${lost} of ${counted(connections.length, 'plugin connection')} not connected at deploy time`,
    sick && `${sick} of ${servers} not healthy`,
    unchecked && `${unchecked} of ${servers} not checked`,
  ].filter(Boolean);
  return wrong.length === 0 ? seen : `${seen}, but ${wrong.join(', ')}`;
}

/** Computes the status of the whole check. */
export function overallStatus(verification: Verification): Finding['status'] {
  if (exitOf(verification) !== 0) return 'failed';
  if (verification.links.length === 0) return 'skipped';
  return isReachable(verification) ? 'passed' : 'failed';
}

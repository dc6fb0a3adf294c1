import type {
  BackendResult,
  ConnectionResult,
  Finding,
  Verification,
} from '../model/verification.js';

type Counted = Pick<Verification, 'links' | 'connections' | 'backends'>;

/** What no check on the enterprise's side can see; the ACL of the listener keeps it out, as it should. */
export const ONLY_THE_SERVICE =
  "Only a call from the service's side proves the path over the connection and through the listener, whose ACL admits only the service: call the plugin once.";

/** A connection of a private plugin or a server behind it, as every report shows it. */
export interface PluginRow {
  readonly name: string;
  readonly path: string;
  /** What a test case is called. */
  readonly title: string;
  readonly label: string;
  /** Whether the deploy reported the state, or this check saw it. */
  readonly lead: 'deployed' | 'seen';
  readonly state: string;
  readonly status: Finding['status'];
  readonly code?: string | undefined;
  readonly elapsedMs: number;
}

export function pluginRows({
  connections = [],
  backends = [],
}: Pick<Counted, 'connections' | 'backends'>): PluginRow[] {
  return [...connections.map(connectionRow), ...backends.map(backendRow)];
}

function connectionRow(connection: ConnectionResult): PluginRow {
  const { name, endpointId, status, code } = connection;
  return {
    name,
    path: connectionPath(connection),
    title: `connection ${endpointId}`,
    label: `${status} at deploy time`,
    lead: 'deployed',
    state: connectionState(connection),
    status: code === undefined ? 'skipped' : 'failed',
    code,
    elapsedMs: 0,
  };
}

const HEALTH = { passed: 'healthy', failed: 'not healthy', skipped: 'not checked' } as const;

/** What ends a run says nothing of a server. */
function healthOf({ status, code }: BackendResult): string {
  return HEALTH[code?.startsWith('run.') ? 'skipped' : status];
}

function backendRow(backend: BackendResult): PluginRow {
  const { name, serviceId, server, status, code, seen, rerouted, elapsedMs } = backend;
  return {
    name,
    path: server === undefined ? `servers of ${serviceId}` : `server ${server} of ${serviceId}`,
    title: server === undefined ? 'servers' : `server ${server}`,
    label: healthOf(backend),
    lead: 'seen',
    state: `${healthOf(backend)}: ${seen}${rerouted === undefined ? '' : ` (dialled at ${rerouted})`}`,
    status,
    code,
    elapsedMs,
  };
}

/** The state of a connection, in words that claim nothing of now. */
function connectionState({ status }: ConnectionResult): string {
  return `${status} at deploy time (not re-checked)`;
}

function connectionPath(connection: ConnectionResult): string {
  const { endpointId, ownerAccountId, serviceId } = connection;
  return `${endpointId} of ${ownerAccountId} to ${serviceId}`;
}

/** Those first that failed. */
export function worstFirst(rows: readonly PluginRow[]): PluginRow[] {
  return [...rows].sort((a, b) => Number(!a.code) - Number(!b.code));
}

/** How many links are reachable, and how many connections the deploy left connected, how many servers were seen healthy. */
export function counts({ links, connections = [], backends = [] }: Counted): string {
  const reachable = links.filter(({ verdict }) => verdict === 'reachable').length;
  const connected = connections.filter(({ code }) => code === undefined).length;
  const healthy = backends.filter(({ status }) => status === 'passed').length;
  const servers = backends.filter(({ server }) => server !== undefined).length;
  return [
    links.length > 0 && `${reachable} of ${links.length} ${plural(links.length, 'link')} reachable`,
    connections.length > 0 &&
      `${connected} of ${connections.length} plugin ${plural(connections.length, 'connection')} connected at deploy time`,
    servers > 0 && `${healthy} of ${servers} plugin ${plural(servers, 'server')} seen healthy`,
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
    (health) => backends.filter((each) => each.code && healthOf(each) === health).length,
  );
  const all = `${connections.length} plugin ${plural(connections.length, 'connection')}`;
  const servers = `${backends.length} plugin ${plural(backends.length, 'server')}`;
  const wrong = [
    lost > 0 && `${lost} of ${all} not connected at deploy time`,
    sick && `${sick} of ${servers} not healthy`,
    unchecked && `${unchecked} of ${servers} not checked`,
  ].filter(Boolean);
  return wrong.length === 0 ? seen : `${seen}, but ${wrong.join(', ')}`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

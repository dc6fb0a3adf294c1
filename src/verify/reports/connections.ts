import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { exitOf } from '../model/verdict.js';
import type {
  BackendResult,
  ConnectionResult,
  Finding,
  IntentResult,
  LinkResult,
  Verification,
} from '../model/verification.js';

type Counted = Pick<Verification, 'links' | 'connections' | 'backends' | 'intents'>;

/**
 * The limit of a check on the enterprise's side; the ACL of the listener keeps it out, as it
 * should.
 */
export const ONLY_THE_SERVICE =
  "Only a call from the service's side proves the path over the connection and through the listener, whose ACL admits only the service: call the plugin once.";

/** A connection of a private plugin, a server behind it or an intent, as every report shows it. */
export interface PluginRow {
  readonly name: string;
  /** The option that it belongs to. @default - an intent, which belongs to none */
  readonly via?: 'plugin-endpoint-service';
  readonly path: string;
  /** The title of a test case. */
  readonly title: string;
  readonly label: string;
  /** The source of the state: the deploy's record, or this check. */
  readonly lead: 'deployed' | 'seen' | 'tried';
  readonly state: string;
  readonly status: Finding['status'];
  readonly code?: string | undefined;
  readonly elapsedMs: number;
}

export function pluginRows({
  connections = [],
  backends = [],
  intents = [],
}: Omit<Counted, 'links'>): PluginRow[] {
  return [
    ...joinDoors(intents).map(intentRow),
    ...connections.map(connectionRow).map(ofPlugin),
    ...backends.map(backendRow).map(ofPlugin),
  ];
}

function ofPlugin(row: PluginRow): PluginRow {
  return { ...row, via: 'plugin-endpoint-service' };
}

/** The limit of doors that a row names. */
const MAX_DOORS = 3;

/** Makes one row of doors of an intent of which the same was seen, as of all the service's addresses. */
export function joinDoors(intents: readonly IntentResult[]): IntentResult[] {
  const alike = groupBy(intents, ({ door: _, at: __, ...seen }) => JSON.stringify(seen));
  return [...alike.values()].map(([first, ...others]) => {
    const doors = [first, ...others].flatMap(({ door }) => door ?? []);
    const more = doors.length - MAX_DOORS;
    if (doors.length < 2) return first;
    const named = doors.slice(0, MAX_DOORS).join(', ');
    return { ...first, door: more > 0 ? `${named} and ${more} more` : named };
  });
}

function intentRow({ name, vantagePoint, door, result, code, seen, at }: IntentResult): PluginRow {
  const isProved = result === 'closed' || result === 'reachable';
  return {
    name: vantagePoint === undefined ? name : `${name}@${vantagePoint}`,
    path: door === undefined ? 'intent' : `intent, ${door}`,
    title: door === undefined ? 'intent' : `door ${door}`,
    label: result,
    lead: 'tried',
    state: `${result}: ${seen}, ${at}`,
    status: code !== undefined ? 'failed' : isProved ? 'passed' : 'skipped',
    code,
    elapsedMs: 0,
  };
}

/** `intents: proved 2 of 7, not shown 5`; empty where there are none. */
export function intentsLine(intents: readonly IntentResult[] = []): string {
  const all = [...new Set(intents.map(({ name }) => name))].map((name) =>
    intents.filter((one) => one.name === name),
  );
  const has = (of: readonly IntentResult[], ...results: string[]) =>
    of.some(({ result }) => results.includes(result));
  const broken = all.filter((of) => has(of, 'OPEN', 'unreachable')).length;
  const proved = all.filter(
    (of) => has(of, 'closed', 'reachable') && !has(of, 'OPEN', 'unreachable'),
  ).length;
  const open = all.filter((of) => has(of, 'OPEN')).length;
  if (all.length === 0) return '';
  const parts = [
    `proved ${proved} of ${all.length}`,
    `not shown ${all.length - proved - broken}`,
    ...(open > 0 ? [`OPEN ${open}`] : []),
    ...(broken > open ? [`unreachable ${broken - open}`] : []),
  ];
  return `intents: ${parts.join(', ')}`;
}

function connectionRow(connection: ConnectionResult): PluginRow {
  const { name, endpointId, ownerAccountId, serviceId, status, code } = connection;
  return {
    name,
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
export function counts({ links, connections = [], backends = [], intents }: Counted): string {
  const reachable = links.filter(isReachable).length;
  const connected = connections.filter(({ code }) => code === undefined).length;
  const healthy = backends.filter(({ status }) => status === 'passed').length;
  const servers = backends.filter(({ server }) => server !== undefined).length;
  return [
    links.length > 0 && `${reachable} of ${counted(links.length, 'link')} reachable`,
    connections.length > 0 &&
      `${connected} of ${counted(connections.length, 'plugin connection')} connected at deploy time`,
    servers > 0 && `${healthy} of ${counted(servers, 'plugin server')} seen healthy`,
    intentsLine(intents),
  ]
    .filter(Boolean)
    .join('; ');
}

/** The outcome in one line: the verdict is of the links alone. @param verdict in the words of the report */
export function headline(
  { links, connections = [], backends = [], intents = [] }: Counted,
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
    intents.some(({ code }) => code !== undefined) && intentsLine(intents),
  ].filter(Boolean);
  return wrong.length === 0 ? seen : `${seen}, but ${wrong.join(', ')}`;
}

/** Computes the status of the whole check. */
export function overallStatus(verification: Verification): Finding['status'] {
  if (exitOf(verification) !== 0) return 'failed';
  if (verification.links.length === 0) return 'skipped';
  return isReachable(verification) ? 'passed' : 'failed';
}

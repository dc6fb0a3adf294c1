import { titleOf } from '../../codes/stated.js';
import { counted } from '../../lists/counted.js';
import { listOf, type Section } from '../../report/document.js';
import type {
  BackendResult,
  ClosedResult,
  ConnectionResult,
  Finding,
  LinkResult,
  Verification,
} from '../model/verification.js';
import { causeRemedy } from './problems.js';

type Counted = Pick<Verification, 'links' | 'connections' | 'backends' | 'expectedClosed'>;

/** The limit of a check on the enterprise's side; the ACL of the listener keeps it out, as it should. */
const ONLY_THE_SERVICE =
  "Only a call from the service's side proves the path over the connection and through the listener, whose ACL admits only the service: call the plugin once.";

/** A connection of a private plugin, a server behind it, or a link that must be closed, as every report shows it. */
export interface PluginRow {
  readonly name: string;
  /** The option that it belongs to. @default - that of the link */
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
  expectedClosed = [],
}: Omit<Counted, 'links'>): PluginRow[] {
  return [
    ...expectedClosed.map(closedRow),
    ...connections.map(connectionRow),
    ...backends.map(backendRow),
  ];
}

/** Shows a row as a thing that was checked. */
export function pluginSection(row: PluginRow): Section {
  const { name, via, path, lead, state, status, code } = row;
  const wrong = code !== undefined && {
    problems: [
      {
        ...{ tone: 'failed' as const, code, title: titleOf({ code }) },
        ...{ cause: state, remedy: causeRemedy({ code }) },
      },
    ],
  };
  return {
    ...listOf(name, []),
    tone: status,
    about: via === undefined ? path : `${via}  ${path}`,
    facts: wrong ? [] : [[lead, state, status === 'passed' ? status : 'warned']],
    ...wrong,
  };
}

/** Says what a check of servers does not prove. */
export function limitSection({ backends = [] }: Verification): Section {
  return listOf('Not proved from here', backends.length > 0 ? [ONLY_THE_SERVICE] : []);
}

function closedRow({ link, vantagePoint, door, code, ...tried }: ClosedResult): PluginRow {
  const { result, seen, reached, at } = tried;
  const there = result === 'not shown' ? result : `${result} from there`;
  const status = result === 'closed' ? 'passed' : 'skipped';
  return {
    name: `${link}@${vantagePoint}`,
    path: `expected to be closed${door === undefined ? '' : `, ${door}`}`,
    title: 'closed',
    label: there,
    lead: 'tried',
    state: `${there}: ${seen}, ${at}${reached === undefined ? '' : `; ${reached}`}`,
    status: code === undefined ? status : 'failed',
    code,
    elapsedMs: 0,
  };
}

/** Counts what vantage points must not reach: `1 of 3 closed as expected, 1 OPEN, 1 not shown`. */
function closedText(all: readonly ClosedResult[]): string {
  const count = (word: string) => all.filter(({ result }) => result === word).length;
  const parts = ['OPEN', 'not shown'].flatMap((word) =>
    count(word) > 0 ? `${count(word)} ${word}` : [],
  );
  return [`${count('closed')} of ${all.length} closed as expected`, ...parts].join(', ');
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

export function isReachable({ verdict }: Pick<LinkResult, 'verdict'>): boolean {
  return verdict === 'reachable';
}

/**
 * Counts the reachable links, the connections that the deploy left connected, and the healthy
 * servers.
 */
export function counts({
  links,
  connections = [],
  backends = [],
  expectedClosed = [],
}: Counted): string {
  const reachable = links.filter(isReachable).length;
  const connected = connections.filter(({ code }) => code === undefined).length;
  const healthy = backends.filter(({ status }) => status === 'passed').length;
  const servers = backends.filter(({ server }) => server !== undefined).length;
  return [
    links.length > 0 && `${reachable} of ${counted(links.length, 'link')} reachable`,
    connections.length > 0 &&
      `${connected} of ${counted(connections.length, 'plugin connection')} connected at deploy time`,
    servers > 0 && `${healthy} of ${counted(servers, 'plugin server')} seen healthy`,
    expectedClosed.length > 0 && closedText(expectedClosed),
  ]
    .filter(Boolean)
    .join('; ');
}

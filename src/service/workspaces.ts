import { usageError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import type { Secret } from '../codes/secret.js';
import { asObject, asText, present } from '../files/json.js';
import { fromService, openEnvelope, unexpectedAnswer } from './api-response.js';
import {
  type CallOptions,
  logIdOf,
  type ServiceConnection,
  type ServiceRequest,
  type ServiceResponse,
} from './http/message.js';
import { bodyProblem, contradictions } from './response-body.js';
import {
  WORKSPACE_FIELDS,
  WORKSPACE_PAGE_SIZE,
  type WORKSPACE_ROLES,
  type WORKSPACE_TYPES,
} from './unspecified.js';

const CALL = 'the workspaces call';

/** A workspace; the service's specification promises no field, so each may be absent. */
export interface Workspace {
  readonly id?: string;
  readonly name?: string;
  /** By the service's public pages one of these. */
  readonly roleType?: (typeof WORKSPACE_ROLES)[number] | (string & {});
  /** By the service's public pages one of these. */
  readonly workspaceType?: (typeof WORKSPACE_TYPES)[number] | (string & {});
  readonly enterpriseId?: string;
}

export interface WorkspacePage {
  readonly workspaces: readonly Workspace[];
  /** The number on all pages, if the service reports it. */
  readonly totalCount?: number;
  readonly logId?: string;
}

export interface PageOptions {
  /** From 1. @default 1 */
  readonly pageNumber?: number;
  /** From 1; the service may give fewer. @default 20 */
  readonly pageSize?: number;
}

/**
 * Gets one page of the workspaces that the token sees.
 *
 * @throws ServiceError with one of the codes `api.*` or `http.*`
 */
export async function listWorkspaces(
  connection: ServiceConnection,
  token: Secret,
  options?: PageOptions & CallOptions,
): Promise<WorkspacePage> {
  const response = await connection.request(workspacesRequest(token, options), options);
  return readWorkspaces(fromService(response, CALL));
}

/** All workspaces that the token sees, fetched page by page on demand. */
export function allWorkspaces(
  connection: ServiceConnection,
  token: Secret,
  options: PageOptions & CallOptions = {},
): AsyncGenerator<Workspace, void, undefined> {
  return readPages((page) => listWorkspaces(connection, token, { ...options, ...page }), options);
}

/** The workspaces of one page after the other, to the last. */
export async function* readPages(
  get: (page: Required<PageOptions>) => Promise<WorkspacePage>,
  { pageNumber = 1, pageSize = WORKSPACE_PAGE_SIZE }: PageOptions,
): AsyncGenerator<Workspace, void, undefined> {
  let seen = 0;
  let size = pageSize;
  let before = '';
  const known = new Set<string>();
  for (let page = pageNumber; ; page += 1) {
    const { workspaces, totalCount } = await get({ pageNumber: page, pageSize: size });
    // A service that does not know of pages gives the same ones again and again, in whatever order.
    const same = JSON.stringify(workspaces);
    if (same === before || workspaces.every(({ id }) => id !== undefined && known.has(id))) return;
    yield* workspaces;
    before = same;
    for (const { id } of workspaces) if (id !== undefined) known.add(id);
    // Of pages that were left out, each has what this one has: the service may give fewer than asked for.
    if (page === pageNumber) seen = (page - 1) * Math.min(size, workspaces.length);
    seen += workspaces.length;
    if (totalCount !== undefined && seen >= totalCount) return;
    // The service gives no more at a time: pages of that size follow without a gap.
    if (page === 1) size = Math.min(size, workspaces.length);
  }
}

/** @param token without it the service refuses, which still shows that it is the service */
export function workspacesRequest(
  token: Secret | undefined,
  { pageNumber = 1, pageSize = WORKSPACE_PAGE_SIZE }: PageOptions = {},
): ServiceRequest {
  for (const [name, value] of Object.entries({ pageNumber, pageSize })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw usageError(`\`${name}\` must be a whole number from 1, got: ${value}`);
  }
  return {
    method: 'GET',
    path: `/v1/workspaces?page_num=${pageNumber}&page_size=${pageSize}`,
    ...(token && { credential: token }),
  };
}

/**
 * Reads the answer to a workspaces request: the body before the status.
 *
 * @throws ServiceError
 */
export function readWorkspaces(response: ServiceResponse): WorkspacePage {
  const { isReadable, problems: _, ...page } = readWorkspaceList(response);
  if (!isReadable) throw unexpectedAnswer(response, CALL, LIST);
  return page;
}

/** A page of workspaces, as far as the answer can be read. */
interface WorkspaceList extends WorkspacePage {
  /** True if the answer holds a list. */
  readonly isReadable: boolean;
  /** The differences between the answer and what is known of it, a sentence each. */
  readonly problems: readonly string[];
}

const LIST = `an array \`data.${WORKSPACE_FIELDS.list}\``;

/**
 * Reads like {@link readWorkspaces}, for callers to whom the success alone matters: the
 * specification does not show what the list looks like.
 *
 * @throws ServiceError where the call failed
 */
export function readWorkspaceList(response: ServiceResponse): WorkspaceList {
  const data = asObject(openEnvelope(response, CALL, 'api.not-found: call without ID').data);
  const { [WORKSPACE_FIELDS.list]: items, [WORKSPACE_FIELDS.total]: total } = data ?? {};
  // A service that writes an empty list as null still counts it.
  const isReadable = Array.isArray(items) || ((items ?? null) === null && total === 0);
  const listed = Array.isArray(items) ? items : [];
  const strange = listed.filter((item) => asObject(item) === undefined).length;
  const isTotal = Number.isInteger(total) && Number(total) >= listed.length;
  const problems = [
    isReadable ? undefined : bodyProblem(response, LIST).problem,
    strange > 0 ? `${strange} of ${listed.length} workspaces are no objects` : undefined,
    isTotal || (total ?? null) === null ? undefined : wrongTotal(total, listed.length),
    ...contradictions(response),
  ];
  return {
    workspaces: listed.map(readWorkspace),
    ...present({ totalCount: isTotal ? Number(total) : undefined, logId: logIdOf(response) }),
    isReadable,
    problems: problems.filter((problem) => problem !== undefined),
  };
}

function wrongTotal(total: unknown, listed: number): string {
  const shown = safeText(JSON.stringify(total)).slice(0, 40);
  return `\`${WORKSPACE_FIELDS.total}\` is ${shown}, beside ${listed} workspaces`;
}

function readWorkspace(item: unknown): Workspace {
  const fields = asObject(item) ?? {};
  return present({
    id: asText(fields[WORKSPACE_FIELDS.id]),
    name: asText(fields[WORKSPACE_FIELDS.name]),
    roleType: asText(fields[WORKSPACE_FIELDS.role]),
    workspaceType: asText(fields[WORKSPACE_FIELDS.type]),
    enterpriseId: asText(fields[WORKSPACE_FIELDS.enterprise]),
  });
}

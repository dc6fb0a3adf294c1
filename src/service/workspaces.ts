import { usageError } from '../codes/connectivity-error.js';
import type { Secret } from '../codes/secrets.js';
import { fromService, openEnvelope, unexpectedAnswer } from './api-response.js';
import type { ServiceConnection } from './http/connection.js';
import {
  type CallOptions,
  logIdOf,
  type ServiceRequest,
  type ServiceResponse,
} from './http/message.js';
import { asNumber, asObject, asText, present } from './json.js';

const WORKSPACE_PAGE_SIZE = 20;

const CALL = 'the workspaces call';

/** A workspace; the service's specification promises no field, so each may be absent. */
export interface Workspace {
  readonly id?: string;
  readonly name?: string;
  /** `owner`, `admin`, `member`, or what the service adds later. */
  readonly roleType?: string;
  /** `personal`, `team`, or what the service adds later. */
  readonly workspaceType?: string;
  /** Empty for a personal workspace. */
  readonly enterpriseId?: string;
}

export interface WorkspacePage {
  readonly workspaces: readonly Workspace[];
  /** Of all pages, if the service reports it. */
  readonly totalCount?: number;
  readonly logId?: string;
}

export interface PageOptions {
  /** From 1. @default 1 */
  readonly pageNumber?: number;
  /** 1 to 50. @default 20 */
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
  let seen = (pageNumber - 1) * pageSize;
  for (let page = pageNumber; ; page += 1) {
    const { workspaces, totalCount } = await get({ pageNumber: page, pageSize });
    yield* workspaces;
    seen += workspaces.length;
    const isLast = totalCount === undefined ? workspaces.length < pageSize : seen >= totalCount;
    if (workspaces.length === 0 || isLast) return;
  }
}

/** @param token without it the service refuses, which still shows that it is the service */
export function workspacesRequest(
  token: Secret | undefined,
  { pageNumber = 1, pageSize = WORKSPACE_PAGE_SIZE }: PageOptions = {},
): ServiceRequest {
  if (!Number.isInteger(pageNumber) || pageNumber < 1) {
    throw usageError(`\`pageNumber\` must be a whole number from 1, got: ${pageNumber}`);
  }
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 50) {
    throw usageError(`\`pageSize\` must be a whole number from 1 to 50, got: ${pageSize}`);
  }
  return {
    method: 'GET',
    path: `/v1/workspaces?page_num=${pageNumber}&page_size=${pageSize}`,
    ...(token && { credential: token }),
  };
}

/** Reads the answer to a workspaces request: the body before the status. @throws ServiceError */
export function readWorkspaces(response: ServiceResponse): WorkspacePage {
  const data = asObject(openEnvelope(response, CALL, 'api.path-not-found').data);
  if (data === undefined) throw unexpectedAnswer(response, CALL, '`data`');
  const { workspaces: items, total_count: totalCount } = data;
  // A service that writes an empty list as null still counts it.
  const isNone = (items ?? null) === null && totalCount === 0;
  if (!Array.isArray(items) && !isNone) {
    throw unexpectedAnswer(response, CALL, 'an array `data.workspaces`');
  }
  return {
    workspaces: Array.isArray(items) ? items.map(readWorkspace) : [],
    ...present({ totalCount: asNumber(totalCount), logId: logIdOf(response) }),
  };
}

function readWorkspace(item: unknown): Workspace {
  const fields = asObject(item) ?? {};
  return present({
    id: asText(fields.id),
    name: asText(fields.name),
    roleType: asText(fields.role_type),
    workspaceType: asText(fields.workspace_type),
    enterpriseId: asText(fields.enterprise_id),
  });
}

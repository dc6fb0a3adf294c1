import type { ApiRequest } from './api-request.js';
import { apiError, apiReply, type Reply } from './reply.js';
import type { ServiceContext } from './service-context.js';

const DEFAULT_PAGE = 20;
const MAX_PAGE = 50;
const OTHER_ENTERPRISE_ID = 'volcano_2100000007';

const WORKSPACES = [
  { id: '7400000000000000001', name: 'Agents', role_type: 'owner', workspace_type: 'team' },
  { id: '7400000000000000002', name: 'Trials', role_type: 'member', workspace_type: 'team' },
];

/** `GET /v1/workspaces`: the workspaces of the enterprise, page by page. */
export function listWorkspaces(context: ServiceContext, { query, logId }: ApiRequest): Reply {
  const page = pageNumber(query.get('page_num'), 1, Number.MAX_SAFE_INTEGER);
  const size = pageNumber(query.get('page_size'), DEFAULT_PAGE, MAX_PAGE);
  if (page === undefined || size === undefined) {
    return apiError(400, 4000, 'page_num or page_size is out of range', logId);
  }
  const faults = context.faults();
  const all = faults.has('no-workspaces') ? [] : WORKSPACES;
  const workspaces = all.slice((page - 1) * size, page * size).map((each) => ({
    ...each,
    icon_url: '',
    enterprise_id: faults.has('other-enterprise') ? OTHER_ENTERPRISE_ID : context.enterpriseId,
  }));
  return apiReply({ workspaces, total_count: all.length }, logId);
}

function pageNumber(text: string | null, otherwise: number, most: number): number | undefined {
  const value = text === null ? otherwise : Number(text);
  return Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

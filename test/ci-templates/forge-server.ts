import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Comment {
  readonly id: number;
  body: string;
  readonly author: string;
}

/** The state of one change request, as GitHub's and GitLab's interfaces show it. */
export interface ForgeState {
  readonly comments: Comment[];
  readonly labels: Set<string>;
  /** Answered to everything, where the token may do nothing. */
  refusal?: number;
  readonly requests: string[];
}

/** The parts of GitHub's REST interface and of GitLab's that a gate uses, on loopback. */
export async function startForge(
  initial: Partial<ForgeState> = {},
): Promise<{ state: ForgeState; github: Record<string, string>; gitlab: Record<string, string> }> {
  const state: ForgeState = { comments: [], labels: new Set(), requests: [], ...initial };
  const server = createServer((request, response) => {
    void answer(state, request).then(
      ({ status, body }) => response.writeHead(status).end(body && JSON.stringify(body)),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    state,
    github: {
      GITHUB_API_URL: `${url}/github`,
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_TOKEN: 'github-secret',
      PULL_REQUEST: '7',
    },
    gitlab: {
      CI_API_V4_URL: `${url}/gitlab`,
      CI_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '7',
      CONNECTIVITY_REVIEW_TOKEN: 'gitlab-secret',
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

async function answer(state: ForgeState, request: IncomingMessage): Promise<Answer> {
  const { method = '', url = '', headers } = request;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = pathname.replace(/^\/(github\/repos\/owner\/name|gitlab)/, '');
  state.requests.push(`${method} ${path}`);
  const isKnown =
    headers.authorization === 'Bearer github-secret' ||
    headers['private-token'] === 'gitlab-secret';
  if (!isKnown) return { status: 401 };
  if (state.refusal !== undefined) return { status: state.refusal };
  const body = (await json(request).catch(() => ({}))) as Record<string, string>;
  const page = (all: readonly unknown[]) => {
    const from = (Number(searchParams.get('page')) - 1) * 100;
    return { status: 200, body: all.slice(from, from + 100) };
  };
  const isGitHub = pathname.startsWith('/github');
  const own = isGitHub ? 'github-actions[bot]' : 'project-bot';
  return route(state, `${method} ${path}`, { body, page, own }) ?? { status: 404 };
}

interface Context {
  readonly body: Record<string, string>;
  readonly page: (all: readonly unknown[]) => Answer;
  readonly own: string;
}

function route(state: ForgeState, line: string, { body, page, own }: Context): Answer | undefined {
  const { comments, labels } = state;
  const [, id] = /\/(?:comments|notes)\/(\d+)$/.exec(line) ?? [];
  const [, label] = /^DELETE \/issues\/7\/labels\/(.+)$/.exec(line) ?? [];
  if (id !== undefined && /^(PATCH|PUT) /.test(line)) {
    const comment = comments.find((one) => one.id === Number(id));
    if (comment) comment.body = body.body ?? '';
    return { status: comment ? 200 : 404, body: {} };
  }
  if (label !== undefined)
    return { status: labels.delete(decodeURIComponent(label)) ? 200 : 404, body: [] };
  switch (line) {
    case 'GET /issues/7/comments':
      return page(comments.map(({ author, ...rest }) => ({ ...rest, user: { login: author } })));
    case 'GET /projects/12/merge_requests/7/notes':
      return page(comments.map(({ author, ...rest }) => ({ ...rest, author: { id: author } })));
    case 'POST /issues/7/comments':
    case 'POST /projects/12/merge_requests/7/notes':
      comments.push({ id: 1000 + comments.length, body: body.body ?? '', author: own });
      return { status: 201, body: {} };
    case 'GET /issues/7/labels':
      return page([...labels].map((name) => ({ name })));
    case 'GET /user':
      return { status: 200, body: { id: own } };
    case 'GET /projects/12/merge_requests/7':
      return { status: 200, body: { labels: [...labels] } };
    case 'PUT /projects/12/merge_requests/7':
      labels.delete(body.remove_labels ?? '');
      return { status: 200, body: {} };
    default:
      return undefined;
  }
}

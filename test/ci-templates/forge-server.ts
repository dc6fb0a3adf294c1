import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { ForgeState } from './forge-state.js';
import { gitHubRoute } from './github-routes.js';
import { gitLabRoute } from './gitlab-routes.js';

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  /** Method and path, without the place of the interface. */
  readonly line: string;
  readonly body: {
    readonly body?: string;
    readonly labels?: readonly string[];
    readonly add_labels?: string;
    readonly remove_labels?: string;
  };
  /** A list as both forges page it: 20 or 30 unless asked, never more than 100, with a Link header. */
  readonly page: (all: readonly unknown[]) => Reply;
}

/** The parts of GitHub's REST interface and of GitLab's that a gate uses, on loopback. */
export async function startForge(): Promise<{
  state: ForgeState;
  github: Record<string, string>;
  gitlab: Record<string, string>;
}> {
  const state = new ForgeState();
  const server = createServer((request, response) => {
    void answer(state, request).then(
      ({ status, body, headers = {} }) =>
        response
          .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
          .end(body === undefined ? undefined : JSON.stringify(body)),
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

async function answer(state: ForgeState, request: IncomingMessage): Promise<Reply> {
  const { method = '', url = '', headers } = request;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const path = pathname.replace(/^\/(github\/repos\/owner\/name|gitlab)/, '');
  state.requests.push(`${method} ${path}`);
  const isGitHub = pathname.startsWith('/github/');
  if (isGitHub && headers['user-agent'] === undefined) return { status: 403 };
  const isKnown = isGitHub
    ? headers.authorization === 'Bearer github-secret'
    : headers['private-token'] === 'gitlab-secret';
  if (!isKnown)
    return { status: 401, body: { message: isGitHub ? 'Bad credentials' : '401 Unauthorized' } };
  const { status = 200, of = /^/ } = state.refusal ?? {};
  if (state.refusal !== undefined && of.test(path)) return { status, body: { message: 'refused' } };
  const body = (await json(request).catch(() => ({}))) as Call['body'];
  const page = (all: readonly unknown[]): Reply => {
    const size = Math.min(Number(searchParams.get('per_page') ?? (isGitHub ? 30 : 20)), 100);
    const current = Number(searchParams.get('page') ?? 1);
    const hasNext = current * size < all.length;
    searchParams.set('per_page', String(size));
    searchParams.set('page', String(current + 1));
    const next = `<http://${headers.host}${pathname}?${searchParams}>; rel="next"`;
    const shown = all.slice((current - 1) * size, current * size);
    return { status: 200, body: shown, ...(hasNext && { headers: { link: next } }) };
  };
  const route = isGitHub ? gitHubRoute : gitLabRoute;
  return (
    route(state, { line: `${method} ${path}`, body, page }) ?? {
      status: 404,
      body: { message: isGitHub ? 'Not Found' : '404 Not found' },
    }
  );
}

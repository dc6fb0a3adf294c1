import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState, Push } from './forge-state.js';

const BOT: Account = { login: 'github-actions[bot]', type: 'Bot' };
const API = 'https://api.github.com/repos/owner/name';
const REPOSITORY = { id: 11, node_id: 'R_x', name: 'name', full_name: 'owner/name', private: true };

const user = ({ login, type }: Account) => ({
  login,
  id: [...login].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1e6,
  node_id: 'U_x',
  url: `https://api.github.com/users/${login}`,
  type,
  site_admin: false,
});

const comment = ({ id, body, author, createdAt, updatedAt, byApp }: Comment) => ({
  url: `${API}/issues/comments/${id}`,
  html_url: `https://github.com/owner/name/pull/7#issuecomment-${id}`,
  issue_url: `${API}/issues/7`,
  id,
  node_id: `IC_${id}`,
  user: author === undefined ? null : user(author),
  created_at: createdAt,
  updated_at: updatedAt,
  author_association: 'NONE',
  body,
  performed_via_github_app: byApp === true ? { id: 1, slug: 'an-app' } : null,
});

const activity = ({ by, from, to, isFirst }: Push, i: number) => ({
  id: 7000 + i,
  node_id: 'PSH_x',
  before: from,
  after: to,
  ref: 'refs/heads/change',
  timestamp: '2026-01-01T00:00:00Z',
  activity_type: isFirst ? 'branch_creation' : 'push',
  actor: by === undefined ? null : user(by),
});

const pull = ({ opener, head }: ForgeState) => ({
  number: 7,
  state: 'open',
  user: opener === undefined ? null : user(opener),
  head: { ref: 'change', sha: head, repo: REPOSITORY },
  base: { ref: 'main', repo: REPOSITORY },
});

const rules = ({ isBound }: ForgeState) => [
  { type: 'deletion', ruleset_source_type: 'Organization', ruleset_source: 'owner', ruleset_id: 1 },
  ...(isBound
    ? [
        {
          type: 'workflows',
          parameters: {
            do_not_enforce_on_create: false,
            workflows: [{ path: '.github/workflows/review.yml', repository_id: 99, ref: 'main' }],
          },
          ruleset_source_type: 'Organization',
          ruleset_source: 'owner',
          ruleset_id: 2,
        },
      ]
    : []),
];

/** Answers the one query that a gate sends to GraphQL. */
export function gitHubQuery(state: ForgeState, { variables }: Record<string, never>): Reply {
  const { id } = variables as unknown as { id: string };
  const found = state.comments.find((one) => `IC_${one.id}` === id);
  if (found === undefined) return { status: 200, body: { data: { node: null } } };
  const { createdAt, updatedAt } = found;
  const lastEditedAt = createdAt === updatedAt ? null : updatedAt;
  return { status: 200, body: { data: { node: { lastEditedAt } } } };
}

/** GitHub's answer; undefined for what a gate has no business with. */
export function gitHubRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const [, id] = /^PATCH \/issues\/comments\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    state.edit(found, body.body ?? '');
    return { status: 200, body: comment(found) };
  }
  const [, name] = /^GET \/collaborators\/(.+)\/permission$/.exec(line) ?? [];
  if (name !== undefined) {
    const permission = state.writers.has(decodeURIComponent(name)) ? 'write' : 'read';
    return { status: 200, body: { permission, role_name: permission } };
  }
  switch (line) {
    case 'GET /pulls/7':
      return { status: 200, body: pull(state) };
    case 'GET /issues/7/comments':
      return page(state.comments.map(comment));
    case 'POST /issues/7/comments':
      return { status: 201, body: comment(state.comment(BOT, body.body ?? '')) };
    case 'GET /activity':
      return page(state.pushes.map(activity).reverse());
    case 'GET /rules/branches/main':
      return page(rules(state));
    default:
      return undefined;
  }
}

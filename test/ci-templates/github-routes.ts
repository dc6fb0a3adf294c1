import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState } from './forge-state.js';

const BOT: Account = { login: 'github-actions[bot]', type: 'Bot' };
const API = 'https://api.github.com/repos/owner/name';

const user = ({ login, type }: Account) => ({
  login,
  id: [...login].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1e6,
  node_id: 'U_x',
  url: `https://api.github.com/users/${login}`,
  type,
  site_admin: false,
});

const comment = ({ id, body, author, createdAt, updatedAt }: Comment) => ({
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
  performed_via_github_app: null,
});

const labels = (state: ForgeState) =>
  [...state.labels].map((name, id) => ({ id, name, color: 'ededed', default: false }));

/** GitHub's answer; undefined for what a gate has no business with. */
export function gitHubRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const [, id] = /^PATCH \/issues\/comments\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    state.edit(found, body.body ?? '');
    return { status: 200, body: comment(found) };
  }
  const [, name] = /^DELETE \/issues\/7\/labels\/(.+)$/.exec(line) ?? [];
  if (name !== undefined) {
    if (!state.labels.delete(decodeURIComponent(name))) return undefined;
    return { status: 200, body: labels(state) };
  }
  switch (line) {
    case 'GET /issues/7/comments':
      return page(state.comments.map(comment));
    case 'POST /issues/7/comments':
      return { status: 201, body: comment(state.comment(BOT, body.body ?? '')) };
    case 'GET /issues/7/labels':
      return page(labels(state));
    case 'POST /issues/7/labels':
      for (const label of body.labels ?? []) state.labels.add(label);
      return { status: 200, body: labels(state) };
    default:
      return undefined;
  }
}

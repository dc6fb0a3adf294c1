import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState, LabelEvent } from './forge-state.js';

const BOT: Account = { login: 'github-actions[bot]', type: 'Bot' };
const API = 'https://api.github.com/repos/owner/name';

const user = ({ login, type }: Account) => ({
  login,
  id: login.length,
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
  node_id: 'IC_x',
  user: user(author === BOT.login ? BOT : { login: author, type: 'User' }),
  created_at: createdAt,
  updated_at: updatedAt,
  author_association: 'NONE',
  body,
  performed_via_github_app: null,
});

const label = (name: string) => ({
  id: name.length,
  node_id: 'LA_x',
  url: `${API}/labels/${name}`,
  name,
  color: 'ededed',
  default: false,
  description: null,
});

const event = ({ label: name, action, by, at }: LabelEvent, i: number) => ({
  id: 5000 + i,
  node_id: 'LE_x',
  url: `${API}/issues/events/${5000 + i}`,
  actor: by === undefined ? null : user(by),
  event: action === 'add' ? 'labeled' : 'unlabeled',
  commit_id: null,
  commit_url: null,
  created_at: at,
  label: { name, color: 'ededed' },
  performed_via_github_app: null,
});

/** What GitHub answers; undefined for what a gate has no business with. */
export function gitHubRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const [, id] = /^PATCH \/issues\/comments\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    Object.assign(found, { body: body.body ?? '', updatedAt: state.now() });
    return { status: 200, body: comment(found) };
  }
  const [, name] = /^DELETE \/issues\/7\/labels\/(.+)$/.exec(line) ?? [];
  if (name !== undefined) {
    if (!state.removeLabel(decodeURIComponent(name), BOT))
      return { status: 404, body: { message: 'Label does not exist' } };
    return { status: 200, body: [...state.labels].map(label) };
  }
  switch (line) {
    case 'GET /pulls/7':
      return { status: 200, body: { number: 7, state: 'open', user: user(state.author) } };
    case 'GET /issues/7/comments':
      return page(state.comments.map(comment));
    case 'POST /issues/7/comments':
      return { status: 201, body: comment(state.comment(BOT.login, body.body ?? '')) };
    case 'GET /issues/7/labels':
      return page([...state.labels].map(label));
    case 'GET /issues/7/events':
      return page(state.labelEvents.map(event));
    default:
      return undefined;
  }
}

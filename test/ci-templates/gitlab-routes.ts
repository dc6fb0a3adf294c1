import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState, LabelEvent } from './forge-state.js';

const BOT = 'project_12_bot_0c3b7a';
const REQUEST = '/projects/12/merge_requests/7';

/** GitLab does not say what kind of account it is. */
const user = (username: string) => ({
  id: [...username].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1e6,
  username,
  name: username,
  state: 'active',
  avatar_url: null,
  web_url: `https://gitlab.example.com/${username}`,
});

const note = ({ id, body, author, createdAt, updatedAt }: Comment) => ({
  id,
  type: null,
  body,
  author: user(author),
  created_at: createdAt,
  updated_at: updatedAt,
  system: false,
  noteable_type: 'MergeRequest',
  noteable_iid: 7,
  resolvable: false,
});

const event = ({ label, action, by, at }: LabelEvent, i: number) => ({
  id: 5000 + i,
  user: by === undefined ? null : user(toUsername(by)),
  created_at: at,
  resource_type: 'MergeRequest',
  resource_id: 70,
  label: { id: label.length, name: label, color: '#ededed', description: null },
  action,
});

const toUsername = ({ login, type }: Account) => (type === 'Bot' ? BOT : login);

/** What GitLab answers; undefined for what a gate has no business with. */
export function gitLabRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const request = () => ({
    id: 70,
    iid: 7,
    state: 'opened',
    author: user(state.author.login),
    labels: [...state.labels],
  });
  const [, id] = /\/notes\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined && line.startsWith('PUT ')) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    Object.assign(found, { body: body.body ?? '', updatedAt: state.now() });
    return { status: 200, body: note(found) };
  }
  switch (line) {
    case 'GET /user':
      return { status: 200, body: { ...user(BOT), bot: true } };
    case `GET ${REQUEST}`:
      return { status: 200, body: request() };
    case `PUT ${REQUEST}`:
      for (const name of (body.remove_labels ?? '').split(','))
        state.removeLabel(name, { login: BOT, type: 'Bot' });
      return { status: 200, body: request() };
    case `GET ${REQUEST}/notes`:
      return page(state.comments.map(note).reverse());
    case `POST ${REQUEST}/notes`:
      return { status: 201, body: note(state.comment(BOT, body.body ?? '')) };
    case `GET ${REQUEST}/resource_label_events`:
      return page(state.labelEvents.map(event));
    default:
      return undefined;
  }
}

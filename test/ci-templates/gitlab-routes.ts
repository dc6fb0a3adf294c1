import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState } from './forge-state.js';

const BOT: Account = { login: 'project_12_bot_0c3b7a', type: 'Bot' };
const PROJECT = '/projects/12';
const REQUEST = `${PROJECT}/merge_requests/7`;

const idOf = (username: string) =>
  [...username].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 1e6;

/** GitLab does not say in a comment what kind of account it is. */
const user = (username: string) => ({
  id: idOf(username),
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
  author: author === undefined ? null : user(author.login),
  created_at: createdAt,
  updated_at: updatedAt,
  system: false,
  noteable_type: 'MergeRequest',
  noteable_iid: 7,
  resolvable: false,
});

/** GitLab takes names of labels with commas between them. */
const split = (names = '') => names.split(',').filter((name) => name !== '');

/** GitLab's answer; undefined for what a gate has no business with. */
export function gitLabRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const [, id] = /\/notes\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined && line.startsWith('PUT ')) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    state.edit(found, body.body ?? '');
    return { status: 200, body: note(found) };
  }
  switch (line) {
    case 'GET /user':
      return { status: 200, body: { ...user(BOT.login), bot: true } };
    case `PUT ${REQUEST}`:
      for (const name of split(body.add_labels)) state.labels.add(name);
      for (const name of split(body.remove_labels)) state.labels.delete(name);
      return { status: 200, body: { id: 70, iid: 7, labels: [...state.labels] } };
    case `GET ${REQUEST}/notes`:
      return page(state.comments.map(note).reverse());
    case `POST ${REQUEST}/notes`:
      return { status: 201, body: note(state.comment(BOT, body.body ?? '')) };
    default:
      return undefined;
  }
}

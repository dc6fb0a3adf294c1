import type { Call, Reply } from './forge-server.js';
import type { Account, Comment, ForgeState, Push } from './forge-state.js';

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

const pushEvent = ({ by, from, to, isFirst }: Push, i: number) => ({
  id: 5000 + i,
  project_id: 12,
  action_name: isFirst ? 'pushed new' : 'pushed to',
  target_id: null,
  author: by === undefined ? null : user(by.login),
  created_at: '2026-01-01T00:00:00.000Z',
  push_data: {
    commit_count: 1,
    action: isFirst ? 'created' : 'pushed',
    ref_type: 'branch',
    commit_from: isFirst ? null : from,
    commit_to: to,
    ref: 'change',
    commit_title: 'a change',
    ref_count: null,
  },
});

const otherBranch = {
  ...pushEvent({ by: { login: 'colleague', type: 'User' }, from: '', to: 'd', isFirst: true }, -1),
  push_data: { action: 'created', ref_type: 'branch', ref: 'other', commit_from: null },
};

/** GitLab's answer; undefined for what a gate has no business with. */
export function gitLabRoute(state: ForgeState, { line, body, page }: Call): Reply | undefined {
  const accounts = [BOT, ...state.comments.flatMap(({ author }) => author ?? [])];
  const accountOf = (id: string | undefined) =>
    accounts.find(({ login }) => String(idOf(login)) === id);
  const [, id] = /\/notes\/(\d+)$/.exec(line) ?? [];
  if (id !== undefined && line.startsWith('PUT ')) {
    const found = state.comments.find((one) => one.id === Number(id));
    if (found === undefined) return undefined;
    state.edit(found, body.body ?? '');
    return { status: 200, body: note(found) };
  }
  const person = accountOf(/^GET \/users\/(\d+)$/.exec(line)?.[1]);
  if (person !== undefined) {
    return { status: 200, body: { ...user(person.login), bot: person.type === 'Bot' } };
  }
  const member = accountOf(/\/members\/all\/(\d+)$/.exec(line)?.[1]);
  if (member !== undefined) {
    const level = state.writers.has(member.login) ? 30 : 20;
    return { status: 200, body: { ...user(member.login), access_level: level } };
  }
  switch (line) {
    case 'GET /user':
      return { status: 200, body: { ...user(BOT.login), bot: true } };
    case `GET ${PROJECT}`:
      return {
        status: 200,
        body: {
          id: 12,
          path_with_namespace: 'group/name',
          ci_config_path: state.isBound ? 'connectivity.yml@group/rules' : null,
          only_allow_merge_if_pipeline_succeeds: true,
          allow_merge_on_skipped_pipeline: null,
        },
      };
    case `GET ${REQUEST}`:
      return {
        status: 200,
        body: {
          id: 70,
          iid: 7,
          state: 'opened',
          author: state.opener === undefined ? null : user(state.opener.login),
          sha: state.head,
          source_branch: 'change',
          source_project_id: 12,
          target_branch: 'main',
        },
      };
    case `GET ${PROJECT}/events`:
      return page([otherBranch, ...state.pushes.map(pushEvent).reverse()]);
    case `GET ${REQUEST}/notes`:
      return page(state.comments.map(note).reverse());
    case `POST ${REQUEST}/notes`:
      return { status: 201, body: note(state.comment(BOT, body.body ?? '')) };
    default:
      return undefined;
  }
}

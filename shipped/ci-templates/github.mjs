import { ForgeError, forgeClient, isTold, oldestFirst } from './forge-client.mjs';
import { pushersOf } from './pushers.mjs';

const LAST_EDIT = `query ($id: ID!) { node(id: $id) { ... on IssueComment { lastEditedAt } } }`;

/** @param {NodeJS.ProcessEnv} env @returns {import('./forge.mjs').Forge} */
export function gitHub(env) {
  const self = env.COMMENT_AUTHOR || 'github-actions[bot]';
  const issue = `/issues/${env.PULL_REQUEST}`;
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${env.GITHUB_TOKEN ?? ''}`,
  };
  const api = env.GITHUB_API_URL || 'https://api.github.com';
  const { call, all } = forgeClient(`${api}/repos/${env.GITHUB_REPOSITORY}`, headers);
  const pull = () => call('GET', `/pulls/${env.PULL_REQUEST}`);
  return {
    comments: async () =>
      oldestFirst(await all(`${issue}/comments`)).map((one) => toComment(one, self)),
    create: async (body) => void (await call('POST', `${issue}/comments`, { body })),
    update: async (id, body) => void (await call('PATCH', `/issues/comments/${id}`, { body })),
    change: async () => {
      const { user, head } = await pull();
      const name = head?.repo?.full_name;
      const pushers = name && (await activity(forgeClient(`${api}/repos/${name}`, headers), head));
      return { opener: toAccount(user), ...(pushers && { pushers }) };
    },
    isPerson: async ({ facts: { user, performed_via_github_app: app } }) =>
      user?.type === 'User' && app === null,
    isUnedited: async ({ facts: { node_id: id } }) => {
      const url = new URL(env.GITHUB_GRAPHQL_URL || 'https://api.github.com/graphql');
      const { call: ask } = forgeClient(url.origin, headers);
      const answer = await ask('POST', url.pathname, { query: LAST_EDIT, variables: { id } });
      return answer?.data?.node?.lastEditedAt === null;
    },
    mayWrite: async ({ name }) =>
      await isTold(async () => {
        const path = `/collaborators/${encodeURIComponent(name)}/permission`;
        return ['admin', 'write'].includes((await call('GET', path)).permission);
      }),
    whyUnbound: async () => await whyUnbound(env, all, await pull()),
  };
}

const toAccount = (user) => (user ? { id: user.id, name: user.login } : undefined);

const toComment = (facts, self) => ({
  id: facts.id,
  body: facts.body ?? '',
  author: toAccount(facts.user),
  isOwn: facts.user?.login === self,
  facts,
});

/** The repository's list of pushes to the branch of a change, the newest first. */
async function activity({ pages }, { ref, sha }) {
  try {
    const path = `/activity?ref=${encodeURIComponent(`refs/heads/${ref}`)}`;
    return await pushersOf(sha, pages(path), (one) => ({
      from: one.before,
      to: one.after,
      by: toAccount(one.actor),
      isFirst: one.activity_type === 'branch_creation',
    }));
  } catch (error) {
    if (error instanceof ForgeError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/**
 * A ruleset must require the workflow that runs this gate, from another repository.
 *
 * @param {NodeJS.ProcessEnv} env
 */
async function whyUnbound(env, all, { base }) {
  const [, source = '', path = ''] =
    /^([^/]+\/[^/]+)\/(.+)@/.exec(env.GITHUB_WORKFLOW_REF ?? '') ?? [];
  if (source === '' || source.toLowerCase() === env.GITHUB_REPOSITORY?.toLowerCase()) {
    return 'its workflow is in this repository';
  }
  const rules = await all(`/rules/branches/${encodeURIComponent(base.ref)}`);
  const required = rules
    .filter(({ type }) => type === 'workflows')
    .flatMap(({ parameters }) => parameters?.workflows ?? []);
  const isRequired = required.some(
    (one) =>
      one.path === path &&
      Number.isInteger(one.repository_id) &&
      one.repository_id !== base.repo.id,
  );
  return isRequired
    ? undefined
    : `no ruleset of ${base.ref} requires ${path} of another repository`;
}

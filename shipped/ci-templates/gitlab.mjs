import { ForgeError, forgeClient, isTold, oldestFirst } from './forge-client.mjs';
import { pushersOf } from './pushers.mjs';

/** The lowest role that may push to a branch. */
const DEVELOPER = 30;

/** @param {NodeJS.ProcessEnv} env @returns {import('./forge.mjs').Forge} */
export function gitLab(env) {
  const project = `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? '')}`;
  const request = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const { call, all, pages } = forgeClient(env.CI_API_V4_URL ?? '', {
    'private-token': env.CONNECTIVITY_REVIEW_TOKEN ?? '',
  });
  return {
    comments: async () => {
      const { id: self } = await call('GET', '/user');
      const notes = oldestFirst(await all(`${request}/notes`));
      return notes.filter(({ system }) => system !== true).map((one) => toComment(one, self));
    },
    create: async (body) => void (await call('POST', `${request}/notes`, { body })),
    update: async (id, body) => void (await call('PUT', `${request}/notes/${id}`, { body })),
    change: async () => {
      const merge = await call('GET', request);
      const pushers = await pushEvents(pages, merge);
      return { opener: toAccount(merge.author), ...(pushers && { pushers }) };
    },
    isPerson: async ({ author }) =>
      await isTold(async () => {
        const { bot, state } = await call('GET', `/users/${author?.id}`);
        return bot === false && state === 'active';
      }),
    isUnedited: async ({ facts: { created_at: created, updated_at: updated } }) =>
      typeof created === 'string' && created === updated,
    mayWrite: async ({ id }) =>
      await isTold(async () => {
        const member = await call('GET', `${project}/members/all/${id}`);
        return member.access_level >= DEVELOPER && member.state === 'active';
      }),
    whyUnbound: async () => whyUnbound(await call('GET', project)),
  };
}

const toAccount = (user) => (user ? { id: user.id, name: user.username } : undefined);

const toComment = (facts, self) => ({
  id: facts.id,
  body: facts.body ?? '',
  author: toAccount(facts.author),
  isOwn: facts.author?.id === self,
  facts,
});

/** The push events of the branch's project, the newest first; a bulk push names no commits. */
async function pushEvents(pages, { sha, source_branch: branch, source_project_id: project }) {
  const isOfBranch = ({ push_data: push }) =>
    push?.ref_type === 'branch' && (push.ref === branch || push.ref === null);
  try {
    const events = pages(`/projects/${project}/events?action=pushed`);
    return await pushersOf(sha, filtered(events, isOfBranch), ({ author, push_data: push }) => ({
      from: push.commit_from,
      to: push.commit_to,
      by: toAccount(author),
      isFirst: push.action === 'created',
    }));
  } catch (error) {
    if (error instanceof ForgeError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

async function* filtered(all, isWanted) {
  for await (const one of all) if (isWanted(one)) yield one;
}

/** The jobs must be configured in another project, and a merge must need their success. */
function whyUnbound(project) {
  const { ci_config_path: path, path_with_namespace: own } = project;
  const [, elsewhere] = /@([^@:]+)(?::[^@:]*)?$/.exec(path ?? '') ?? [];
  if (elsewhere === undefined || elsewhere === own) {
    return 'the CI configuration of the project is a file of its own';
  }
  if (project.only_allow_merge_if_pipeline_succeeds !== true) {
    return 'a merge does not need a pipeline that succeeded';
  }
  return project.allow_merge_on_skipped_pipeline === true
    ? 'a skipped pipeline lets a change be merged'
    : undefined;
}

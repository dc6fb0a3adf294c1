import { gitHub } from './github.mjs';
import { gitLab } from './gitlab.mjs';

/**
 * @typedef {object} Account
 * @property {number} id what the forge knows it by: a name can be given to another
 * @property {string} name
 *
 * @typedef {object} Comment
 * @property {number} id
 * @property {string} body
 * @property {Account} [author] undefined if the forge names none
 * @property {boolean} isOwn true if this job's account wrote it
 * @property {object} facts the forge's own words about it
 *
 * @typedef {object} Change
 * @property {Account} [opener]
 * @property {Account[]} [pushers] undefined if the forge does not tell all of them
 *
 * @typedef {object} Forge What a gate needs of the place where a change is reviewed.
 * @property {() => Promise<Comment[]>} comments the oldest first
 * @property {(body: string) => Promise<void>} create
 * @property {(id: number, body: string) => Promise<void>} update
 * @property {() => Promise<Change>} change
 * @property {(comment: Comment) => Promise<boolean>} isPerson
 * @property {(comment: Comment) => Promise<boolean>} isUnedited
 * @property {(account: Account) => Promise<boolean>} mayWrite
 * @property {() => Promise<string | undefined>} whyUnbound why the rules of the target branch do not demand a check from elsewhere
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Forge | undefined} undefined outside a change request
 */
export function selectForge(env) {
  const number = env.PULL_REQUEST || queued(env);
  if (number && env.GITHUB_REPOSITORY) return gitHub({ ...env, PULL_REQUEST: number });
  if (env.CI_MERGE_REQUEST_IID && env.CI_API_V4_URL) return gitLab(env);
  return undefined;
}

/**
 * The pull request that a merge queue tries: its approval counts for the same report there too.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function queued({ GITHUB_EVENT_NAME: event, GITHUB_REF: ref = '' }) {
  if (event !== 'merge_group') return undefined;
  return /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]{40}$/.exec(ref)?.[1];
}

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
  if (env.PULL_REQUEST && env.GITHUB_REPOSITORY) return gitHub(env);
  if (env.CI_MERGE_REQUEST_IID && env.CI_API_V4_URL) return gitLab(env);
  return undefined;
}

/**
 * Which comments approve a change.
 *
 * An approval counts if its first line is `/approve-connectivity FINGERPRINT` with the fingerprint of
 * the report as it is now, it is unedited, and its author is a person with write permission who
 * neither opened the change nor pushed to its branch. What the forge does not tell is no approval.
 */

const COMMAND = /^\/approve-connectivity[ \t]+([0-9a-f]{64})[ \t]*\r?(?:\n|$)/;

/**
 * @param {import('./forge.mjs').Forge} forge
 * @param {readonly import('./forge.mjs').Comment[]} comments
 * @param {string} fingerprint
 * @returns {Promise<{ approvedBy: string[], refused: string[] }>} accounts, and a sentence for each comment that does not count
 */
export async function judgeApprovals(forge, comments, fingerprint) {
  const given = comments.filter(({ body }) => COMMAND.test(body));
  const isCurrent = ({ body }) => COMMAND.exec(body)?.[1] === fingerprint;
  const refused = given
    .filter((comment) => !isCurrent(comment))
    .map(({ author }) => `the approval by ${nameOf(author)} is for another report`);
  const current = given.filter(isCurrent);
  if (current.length === 0) return { approvedBy: [], refused };
  const approvedBy = new Set();
  const change = await forge.change();
  for (const comment of current) {
    const problem = await findProblem(forge, change, comment);
    if (problem === undefined) approvedBy.add(comment.author.name);
    else refused.push(`the approval by ${nameOf(comment.author)} does not count: ${problem}`);
  }
  return { approvedBy: [...approvedBy], refused };
}

/**
 * @param {import('./forge.mjs').Forge} forge
 * @param {import('./forge.mjs').Change} change
 * @param {import('./forge.mjs').Comment} comment
 * @returns {Promise<string | undefined>} why it does not count
 */
async function findProblem(forge, { opener, pushers }, comment) {
  const { author } = comment;
  if (author === undefined) return 'the forge does not tell who wrote it';
  if (opener === undefined) return 'the forge does not tell who opened the change';
  if (author.id === opener.id) return 'its author opened the change';
  if (pushers === undefined) return 'the forge does not tell everyone who pushed to the branch';
  if (pushers.some(({ id }) => id === author.id)) {
    return 'its author pushed to the branch (to update the branch is a push)';
  }
  if (!(await forge.isPerson(comment))) return 'its author is not known to be a person';
  if (!(await forge.isUnedited(comment))) return 'it is not known to be unedited';
  if (!(await forge.mayWrite(author))) return 'its author has no write permission';
  return undefined;
}

/** @param {import('./forge.mjs').Account | undefined} account */
const nameOf = (account) => account?.name ?? 'nobody that the forge names';

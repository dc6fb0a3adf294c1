/** The one comment of a change: the report, and how it is approved. */

const NEEDS_APPROVAL = 3;
const MAX_REPORT = 60_000;
const MARK = /^<!-- secure-connectivity review [0-9a-f]{64} -->/;

/** @param {readonly import('./forge.mjs').Comment[]} comments */
export function findOwnComment(comments) {
  return comments.find(({ isOwn, body }) => isOwn && MARK.test(body));
}

/**
 * @param {{
 *   status: number, report: string, fingerprint: string, unbound?: string,
 *   approvedBy: readonly string[], refused: readonly string[], env: NodeJS.ProcessEnv
 * }} review
 * @returns {string} Markdown
 */
export function commentOf({ status, report, fingerprint, unbound, approvedBy, refused, env }) {
  const parts = [`<!-- secure-connectivity review ${fingerprint} -->`, shorten(report).trimEnd()];
  if (status === NEEDS_APPROVAL) {
    parts.push('---', approvedBy.length > 0 ? approved(approvedBy) : wanted(fingerprint, env));
    if (refused.length > 0) parts.push(refused.map((line) => `- ${plain(line)}`).join('\n'));
  }
  if (unbound !== undefined) {
    parts.push(`**Not binding: this change can edit its own check** (${plain(unbound)}).`);
  }
  return `${parts.join('\n\n').replace('-->\n\n', '-->\n')}\n`;
}

/** @param {readonly string[]} accounts */
function approved(accounts) {
  const names = accounts.map((name) => `\`${name}\``).join(', ');
  return `**Approved** by ${names}. The approval stays as long as the report stays the same.`;
}

/** @param {string} fingerprint @param {NodeJS.ProcessEnv} env */
function wanted(fingerprint, env) {
  return [
    'To approve exactly this report, comment with this line:',
    `\`\`\`\n/approve-connectivity ${fingerprint}\n\`\`\``,
    'It counts from a person with write permission who neither opened this change nor pushed to its branch; to update the branch is a push. Any other report needs an approval of its own.',
    `Then run this job again${linkOf(env)}.`,
  ].join('\n\n');
}

/** @param {NodeJS.ProcessEnv} env */
function linkOf(env) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_RUN_ID: run } = env;
  if (server && name && run) return `: ${server}/${name}/actions/runs/${run}`;
  return env.CI_JOB_URL ? `: ${env.CI_JOB_URL}` : '';
}

/** @param {string} report */
function shorten(report) {
  if (report.length <= MAX_REPORT) return report;
  const end = report.lastIndexOf('\n', MAX_REPORT);
  return `**TRUNCATED: the whole report is an artifact of the job.**\n\n${report.slice(0, end)}\n`;
}

/** Keeps names of accounts and workflows from being markup or a mention. @param {string} text */
function plain(text) {
  return text.replace(/[\\`*_[\]<>#|~@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

#!/usr/bin/env node
/**
 * Publishes a review as the one comment of a change, and decides whether the change may be merged.
 *
 *   gate.mjs REPORT.md REPORT.json STATUS [LABEL]
 *
 * STATUS is the exit status of `secure-connectivity review`. With 3 the change needs the approval
 * label, set by a person other than the author. An approval is for the JSON report that it
 * was given for, since Markdown leaves out what does not fit: when that report changes, the label is
 * removed.
 *
 * Exit status: 0 may be merged, 3 not approved, 4 forbidden, else that of the review.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { ForgeError, selectForge } from './forge.mjs';

const NEEDS_APPROVAL = 3;
const FORBIDDEN = 4;
const MAX_COMMENT = 65_000;
const MARK = /^<!-- secure-connectivity review ([0-9a-f]{64}) -->/;

const [markdownFile = '', jsonFile = '', statusText = '', label = 'connectivity-approved'] =
  process.argv.slice(2);
const status = Number(statusText);
process.exitCode = await gate();

async function gate() {
  if (!/^\d+$/.test(statusText) || ![0, NEEDS_APPROVAL, FORBIDDEN].includes(status)) {
    say(`the review did not complete, got: status ${statusText || 'none'}`);
    return status || 2;
  }
  const report = readFileSync(markdownFile, 'utf8');
  const hash = createHash('sha256').update(readFileSync(jsonFile)).digest('hex');
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, report);
  const isApproved = await publish(report, hash);
  if (status === FORBIDDEN) say('the change is forbidden; no label approves it');
  else if (status === NEEDS_APPROVAL && isApproved)
    say(`the change needs approval, and the label ${label} approves it`);
  else if (status === NEEDS_APPROVAL)
    say(`the change needs approval: someone other than its author must set the label ${label}`);
  return status === NEEDS_APPROVAL && isApproved ? 0 : status;
}

/** @param {string} report @param {string} hash @returns whether this very report is approved */
async function publish(report, hash) {
  const forge = selectForge(process.env);
  if (forge === undefined) {
    process.stdout.write(report);
    return false;
  }
  try {
    return await updateAndJudge(forge, report, hash);
  } catch (error) {
    if (!(error instanceof ForgeError) || ![401, 403, 404].includes(error.status)) throw error;
    process.stdout.write(report);
    say(`this job may not comment (${error.message}); the report is in the log`);
    return false;
  }
}

/** @param {import('./forge.mjs').Forge} forge @param {string} report @param {string} hash */
async function updateAndJudge(forge, report, hash) {
  const before = (await forge.comments()).find(({ body }) => MARK.test(body));
  const isSame = before !== undefined && MARK.exec(before.body)?.[1] === hash;
  const isLabelled = (await forge.labels()).includes(label);
  const problem = isLabelled ? await findProblem(forge, isSame ? before : undefined) : undefined;
  // The label goes first: a new report must never be shown beside an old approval.
  if (problem !== undefined) {
    await forge.removeLabel(label);
    say(`the label ${label} was removed: ${problem}`);
  }
  const body = `<!-- secure-connectivity review ${hash} -->\n${shorten(report)}`;
  if (before === undefined) await forge.create(body);
  else if (!isSame) await forge.update(before.id, body);
  return isLabelled && problem === undefined;
}

/**
 * @param {import('./forge.mjs').Forge} forge
 * @param {import('./forge.mjs').Comment | undefined} comment the one that shows this report
 * @returns {Promise<string | undefined>} why the label does not approve
 */
async function findProblem(forge, comment) {
  if (comment === undefined) return 'the report has changed';
  const [set, author] = await Promise.all([forge.labelled(label), forge.author()]);
  if (set === undefined) return 'the forge does not say who set it';
  if (!set.isPerson) return `a program set it (${set.by})`;
  if (set.by === author) return `the author of the change set it (${author})`;
  if (Date.parse(set.at) < Date.parse(comment.updatedAt)) return 'it is older than the report';
  return undefined;
}

/** @param {string} report */
function shorten(report) {
  if (report.length <= MAX_COMMENT) return report;
  const end = report.lastIndexOf('\n', MAX_COMMENT);
  return `**TRUNCATED: the whole report is an artifact of the job.**\n\n${report.slice(0, end)}\n`;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`connectivity review: ${text}\n`);
}

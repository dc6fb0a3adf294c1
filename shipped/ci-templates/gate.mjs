#!/usr/bin/env node
/**
 * Publishes a review as the one comment of a change, and decides whether the change may be merged.
 *
 *   gate.mjs FOLDER
 *
 * FOLDER has review.md, review.json and status, as `review.sh` writes them. A change that needs
 * approval passes with a comment `/approve-connectivity FINGERPRINT` that counts (`approvals.mjs`).
 *
 * RESULTS                     results of the jobs before, separated by spaces: each must be `success`
 * CONNECTIVITY_STATEMENT_KEY  private key in PKCS #8 PEM: signs statement.jws, if the review wrote a statement
 *
 * Exit status: 0 may be merged, 3 not approved, 4 forbidden, 2 no verdict.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { judgeApprovals } from './approvals.mjs';
import { commentOf, findOwnComment } from './comment.mjs';
import { selectForge } from './forge.mjs';
import { ForgeError } from './forge-client.mjs';
import { writeStatement } from './statement.mjs';

const NO_VERDICT = 2;
const NEEDS_APPROVAL = 3;
const FORBIDDEN = 4;

process.exitCode = await gate(process.argv[2] ?? '.');

/** @param {string} folder @returns {Promise<number>} the exit status */
async function gate(folder) {
  const failed = (process.env.RESULTS ?? '')
    .split(/\s+/)
    .filter((one) => !/^(success)?$/.test(one));
  if (failed.length > 0) {
    say(`a job that this one needs must have succeeded, got: ${failed.join(', ')}; no verdict`);
    return NO_VERDICT;
  }
  const review = readReview(folder);
  if (review === undefined) return NO_VERDICT;
  if (process.env.GITHUB_STEP_SUMMARY) {
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, review.report);
  }
  const approvedBy = await publish(review);
  const { status, fingerprint } = review;
  if (status === FORBIDDEN) say('the change is forbidden, and no comment approves it');
  if (status === NEEDS_APPROVAL && approvedBy.length === 0) {
    say(`the change needs approval; the line to comment: /approve-connectivity ${fingerprint}`);
  }
  const passes = status === 0 || (status === NEEDS_APPROVAL && approvedBy.length > 0);
  if (!passes) return status;
  if (approvedBy.length > 0) say(`approved by ${approvedBy.join(', ')}`);
  try {
    await writeStatement(folder, { fingerprint, approvedBy, say });
    return 0;
  } catch (error) {
    say(`the statement cannot be written: ${error.message}`);
    return NO_VERDICT;
  }
}

/** @param {string} folder @returns the review that a job has left, or undefined if it has none */
function readReview(folder) {
  try {
    const status = readFileSync(join(folder, 'status'), 'utf8').replace(/\n$/, '');
    if (!/^[034]$/.test(status)) {
      say(`the review must have ended with 0, 3 or 4, got: ${JSON.stringify(status)}; no verdict`);
      return undefined;
    }
    const report = readFileSync(join(folder, 'review.md'), 'utf8');
    const json = readFileSync(join(folder, 'review.json'));
    const fingerprint = createHash('sha256').update(json).digest('hex');
    return { status: Number(status), report, fingerprint };
  } catch (error) {
    say(`the review must have left its report, got: ${error.code ?? error.name}; no verdict`);
    return undefined;
  }
}

/**
 * @param {{ status: number, report: string, fingerprint: string }} review
 * @returns {Promise<string[]>} the accounts whose approval of this very report counts
 */
async function publish({ status, report, fingerprint }) {
  const forge = selectForge(process.env);
  if (forge === undefined) {
    process.stdout.write(report);
    return [];
  }
  try {
    const comments = await forge.comments();
    const judged =
      status === NEEDS_APPROVAL
        ? await judgeApprovals(forge, comments, fingerprint)
        : { approvedBy: [], refused: [] };
    for (const line of judged.refused) say(line);
    const unbound = await forge.whyUnbound().catch(toReason);
    if (unbound !== undefined) say(`not binding: this change can edit its own check (${unbound})`);
    const body = commentOf({ status, report, fingerprint, unbound, ...judged, env: process.env });
    const before = findOwnComment(comments);
    if (before === undefined) await forge.create(body);
    else if (before.body !== body) await forge.update(before.id, body);
    return judged.approvedBy;
  } catch (error) {
    process.stdout.write(report);
    say(`the report is only in this log, and no approval counts: ${toReason(error)}`);
    return [];
  }
}

/** @param {unknown} error @returns one line; what a forge answered is not repeated */
function toReason(error) {
  if (error instanceof ForgeError) return error.message;
  return `the forge gave no answer that can be read (${error.name})`;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`connectivity review: ${text}\n`);
}

#!/usr/bin/env node
/**
 * Publishes a review, and decides whether its change may go on.
 *
 *   gate.mjs FOLDER
 *
 * FOLDER has review.md, review.html and status, as `review.sh` writes them. In a change request the report
 * becomes its one comment, with a link to where the page is, and a change that needs approval gets a label;
 * elsewhere the report is printed. People approve at the forge, before the merge or the deploy: nothing here
 * judges them.
 *
 * RESULTS  results of the jobs before, separated by spaces: each must be `success`
 *
 * Exit status: 0 may go on, also where it needs approval; 4 forbidden, 2 no verdict.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ForgeError, selectForge } from './forges.mjs';

const NO_VERDICT = 2;
const NEEDS_APPROVAL = 3;
const FORBIDDEN = 4;

const MARK = '<!-- secure-connectivity review -->';
const LABEL = 'connectivity: needs approval';
const MAX_REPORT = 60_000;

process.exitCode = await gate(process.argv[2] ?? '.');

/** @param {string} folder @returns {Promise<number>} the exit status */
async function gate(folder) {
  const results = (process.env.RESULTS ?? '').split(/\s+/);
  const failed = results.filter((one) => !/^(success)?$/.test(one));
  if (failed.length > 0) {
    say(`a job that this one needs must have succeeded, got: ${failed.join(', ')}; no verdict`);
    return NO_VERDICT;
  }
  const review = readReview(folder);
  if (review === undefined) return NO_VERDICT;
  const { status, report } = review;
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, report);
  await publish(review);
  notice(status, report);
  return status === FORBIDDEN ? FORBIDDEN : 0;
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
    return { status: Number(status), report, hasPage: existsSync(join(folder, 'review.html')) };
  } catch (error) {
    say(`the review must have left its report, got: ${error.code ?? error.name}; no verdict`);
    return undefined;
  }
}

/** @param {{ status: number, report: string, hasPage: boolean }} review */
async function publish({ status, report, hasPage }) {
  const forge = selectForge(process.env);
  if (forge === undefined) {
    process.stdout.write(logged(report));
    return;
  }
  try {
    const body = commentOf(status, report, hasPage ? runUrl(process.env) : undefined);
    const comments = await forge.comments();
    const before = comments.find((one) => one.isOwn && one.body.startsWith(MARK));
    if (before === undefined) await forge.create(body);
    else if (before.body !== body) await forge.update(before.id, body);
    await forge.label(LABEL, status === NEEDS_APPROVAL);
  } catch (error) {
    process.stdout.write(logged(report));
    say(`comment or label could not be written, the report is in this log: ${toReason(error)}`);
  }
}

/** @param {NodeJS.ProcessEnv} env @returns {string | undefined} where the artifacts of this run are listed */
function runUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_PIPELINE_URL }) {
  return GITHUB_RUN_ID
    ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`
    : CI_PIPELINE_URL;
}

/**
 * @param {number} status
 * @param {string} report
 * @param {string | undefined} artifacts where the page is
 * @returns {string} Markdown
 */
function commentOf(status, report, artifacts) {
  const parts = [`${MARK}\n${shorten(report).trimEnd()}`];
  if (artifacts) {
    parts.push(
      `The same as a picture: \`review.html\` in the artifacts of [this run](${artifacts}).`,
    );
  }
  if (status === NEEDS_APPROVAL) {
    parts.push(
      '---',
      '**Needs approval.** The deploy is reviewed again, against what is deployed then, and waits for the reviewers of its environment.',
    );
  }
  return `${parts.join('\n\n')}\n`;
}

/** @param {string} report */
function shorten(report) {
  if (report.length <= MAX_REPORT) return report;
  const end = report.lastIndexOf('\n', MAX_REPORT);
  return `**TRUNCATED: the whole report is an artifact of the job.**\n\n${report.slice(0, end)}\n`;
}

/** Says in one line what the check has come to. @param {number} status @param {string} report */
function notice(status, report) {
  const first = report.split('\n').find((line) => !/^\s*(<!--.*-->)?\s*$/.test(line)) ?? '';
  const line = shown(first.replace(/^#+ /, ''));
  if (process.env.GITHUB_ACTIONS !== 'true') return say(line);
  const level = { 0: 'notice', [NEEDS_APPROVAL]: 'warning', [FORBIDDEN]: 'error' }[status];
  process.stdout.write(`::${level} title=connectivity review::${line.replaceAll('%', '%25')}\n`);
}

/** @param {unknown} error @returns one line; what a forge answered is not repeated */
function toReason(error) {
  if (error instanceof ForgeError) return error.message;
  return `the forge gave no answer that can be read (${error.name})`;
}

/** A report for a log, in which no name of a tree begins a line that a runner obeys. @param {string} text */
function logged(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `| ${shown(line)}\n`).join('');
}

/** Escapes what acts on a terminal, or on a runner wherever in a line it is. @param {string} line */
function shown(line) {
  const escaped = (mark) => `\\u{${mark.codePointAt(0).toString(16)}}`;
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|#(?=#(\[|vso\[))/gu, escaped);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`connectivity review: ${text}\n`);
}

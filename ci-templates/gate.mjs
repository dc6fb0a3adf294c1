#!/usr/bin/env node
/**
 * Publishes a review as the one comment of a change, and decides whether the change may go on.
 *
 *   gate.mjs REPORT.md STATUS [LABEL]
 *
 * STATUS is the exit status of `secure-connectivity review`. A change that widens needs the approval
 * label. An approval is for the report that stood there when it was given: when the report changes,
 * the label is taken off again.
 *
 * Exit status: 0 may go on, 3 widens without approval, 4 forbidden, else what the review ended with.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { ForgeError, forgeOf } from './forge.mjs';

const WIDENS = 3;
const FORBIDDEN = 4;
const LONGEST = 65_000;
const MARK = /^<!-- secure-connectivity review ([0-9a-f]{64}) -->/;

const [file = '', statusText = '', label = 'connectivity-approved'] = process.argv.slice(2);
const status = Number(statusText);
process.exitCode = await gate();

async function gate() {
  if (!/^\d+$/.test(statusText) || ![0, WIDENS, FORBIDDEN].includes(status)) {
    say(`the review did not end as it should, got: status ${statusText || 'none'}`);
    return status || 2;
  }
  const report = readFileSync(file, 'utf8');
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, report);
  const isApproved = await publish(report);
  if (status === FORBIDDEN) say('the change is forbidden; no label lets it through');
  else if (status === WIDENS && isApproved)
    say(`the change widens, and the label ${label} approves it`);
  else if (status === WIDENS)
    say(
      `the change widens; after reading the report, set the label ${label} and run this job again`,
    );
  return status === WIDENS && isApproved ? 0 : status;
}

/** @param {string} report @returns whether the label is there, for this very report */
async function publish(report) {
  const forge = forgeOf(process.env);
  if (forge === undefined) {
    process.stdout.write(report);
    return false;
  }
  try {
    return await upsert(forge, report);
  } catch (error) {
    if (!(error instanceof ForgeError) || ![401, 403, 404].includes(error.status)) throw error;
    process.stdout.write(report);
    say(`this job may not comment (${error.message}); the report stands above`);
    return false;
  }
}

/** @param {import('./forge.mjs').Forge} forge @param {string} report */
async function upsert(forge, report) {
  const hash = createHash('sha256').update(report).digest('hex');
  const before = (await forge.comments()).find(({ body }) => MARK.test(body));
  const isSame = before !== undefined && MARK.exec(before.body)?.[1] === hash;
  const isLabelled = (await forge.labels()).includes(label);
  // First the label: a report that is new must never stand beside an approval that is old.
  if (isLabelled && !isSame) {
    await forge.removeLabel(label);
    say(`the report has changed, so the label ${label} was taken off`);
  }
  const body = `<!-- secure-connectivity review ${hash} -->\n${shortened(report)}`;
  if (before === undefined) await forge.create(body);
  else if (!isSame) await forge.update(before.id, body);
  return isLabelled && isSame;
}

/** @param {string} report */
function shortened(report) {
  if (report.length <= LONGEST) return report;
  const end = report.lastIndexOf('\n', LONGEST);
  return `**TRUNCATED: the whole report is an artifact of the job.**\n\n${report.slice(0, end)}\n`;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`connectivity review: ${text}\n`);
}

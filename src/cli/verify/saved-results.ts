import { usageError } from '../../codes/connectivity-error.js';
import { EXIT } from '../../codes/exit-status.js';
import { type Explained, titleOf } from '../../codes/stated.js';
import { sayWhileWaiting } from '../../progress/waiting.js';
import type { Verification } from '../../verify/model/verification.js';
import { chosenFormats } from '../program/arguments.js';
import { recordCheckStatus } from '../program/check-files.js';
import { readNamedFile } from '../program/named-files.js';
import { finalExit } from './command-line.js';
import type { VerifyFlags } from './flags/modes.js';

/**
 * Writes the reports of results that an earlier run saved. Results of several runs, such as the shards
 * of a file of targets, become one report.
 */
export async function reportSaved(files: readonly string[], flags: VerifyFlags): Promise<number> {
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { readVerification } = await import('../../verify/reports/read-verification.js');
  const texts = await Promise.all(files.map(readSource));
  const torn: string[] = [];
  const read = readVerification(texts, (source) => torn.push(source));
  const { title = read.title } = flags;
  const verification = { ...read, ...(title !== undefined && { title }) };
  if (!flags.exitStatus) {
    const { writeReports } = await import('./output/write-reports.js');
    await writeReports(verification, formats, flags.verbose);
  }
  const exit = await judge(verification, flags, torn);
  if (flags.exitStatus) recordCheckStatus(exit);
  return finalExit(exit, flags);
}

/**
 * The status of the run, if the report shows all of it.
 *
 * @param torn sources of which the last result is lost
 */
async function judge(
  verification: Verification,
  flags: VerifyFlags,
  torn: readonly string[],
): Promise<number> {
  const { notShown, savedExit, wasStrict } = await import('../../verify/model/saved-exit.js');
  const exit = savedExit(verification, { strict: flags.strict ?? wasStrict(verification) });
  if (flags.exitStatus) await sayOutcomes(verification, exit);
  const { title = 'verify' } = flags;
  const say = (text: string) => process.stderr.write(`${title}: ${text}\n`);
  const missing = exit === EXIT.deadline ? notShown(verification) : undefined;
  if (missing !== undefined) say(`the results must show everything at work, got: ${missing}`);
  for (const source of torn) {
    say(`the last line of ${source} must be a whole result, got: a part, which is ignored`);
  }
  return torn.length > 0 && (exit === 0 || exit === EXIT.strictWarning) ? EXIT.deadline : exit;
}

async function readSource(file: string): Promise<{ source: string; text: string }> {
  if (file !== '-') {
    return { source: file, text: await readNamedFile('--from', file) };
  }
  const source = 'standard input';
  try {
    // Somebody may be typing: nothing is drawn on that terminal.
    const waiting = sayWhileWaiting(() => `secure-connectivity: waiting for ${source}`);
    const pieces = await process.stdin.toArray().finally(waiting.end);
    return { source, text: Buffer.concat(pieces).toString('utf8') };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usageError(`\`--from\` must be readable, got: ${source} (${code})`, cause);
  }
}

/**
 * Says on standard error how each link ended that did not pass, one line each, for whom the report
 * itself was printed before.
 */
async function sayOutcomes(verification: Verification, exit: number): Promise<void> {
  const { title = 'check', links, connections = [], backends = [] } = verification;
  const say = (what: string, stated: Explained) =>
    process.stderr.write(`${title}: ${what}: ${stated.code}: ${titleOf(stated)}\n`);
  for (const { name, verdict, stages, causes } of links) {
    const broken = stages.find(({ status }) => status === 'failed');
    if (broken === undefined) continue;
    say(
      `${name} is ${verdict}: ${broken.stage}`,
      causes[0] ?? { ...broken, code: broken.code ?? '' },
    );
  }
  for (const { name, code } of connections) if (code !== undefined) say(name, { code });
  for (const { name, server, code } of backends) {
    if (code !== undefined) say(server === undefined ? name : `${name} at ${server}`, { code });
  }
  if (exit !== 0) process.stderr.write(`${title}: failed with status ${exit}, report above\n`);
}

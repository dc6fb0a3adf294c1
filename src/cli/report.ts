import { Command } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import type { Verification } from '../verify/model/verification.js';
import { logCheck } from './deploy/run-log.js';
import { chosenFormats, collect, parseArguments } from './program/arguments.js';
import { readNamedFile } from './program/named-files.js';
import { sayingWhile } from './program/waiting.js';
import { readFormat } from './verify/flags/row.js';
import { FLAGS, type Flags } from './verify/flags/table.js';
import { FORMAT_NAMES } from './verify/write-reports.js';

const ABOUT =
  'Converts results that `verify` saved with --format json or jsonl to other formats, without checking again. Results of several runs, such as the shards of a file of targets, become one report.';

export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity report')
    .description(ABOUT)
    .argument('<files...>', 'JSON or JSON lines; - for standard input')
    .option(
      '--format <format>',
      `${FORMAT_NAMES.join(', ')}: to standard output, or to a file with =FILE; repeatable (default: text)`,
      collect(readFormat),
    )
    .option('--verbose', FLAGS.verbose.about)
    .option('--title <text>', FLAGS.title.about)
    .option(
      '--exit-status',
      'print only the outcome of each link, and exit as `verify` would have',
    );
  const flags = parseArguments<Flags & { readonly exitStatus?: true }>(command, args);
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { readVerification } = await import('../verify/reports/read-verification.js');
  const texts = await Promise.all(command.args.map(readSource));
  const read = readVerification(texts, (source) => {
    process.stderr.write(`report: the last line of ${source} is incomplete, and ignored\n`);
  });
  const { title = read.title } = flags;
  const verification = { ...read, ...(title !== undefined && { title }) };
  if (flags.exitStatus) {
    return await judge(verification);
  }
  const { writeReports } = await import('./verify/write-reports.js');
  await writeReports(verification, formats, flags.verbose);
  return 0;
}

async function readSource(file: string): Promise<{ source: string; text: string }> {
  if (file !== '-') {
    return { source: file, text: await readNamedFile('files', file) };
  }
  const source = 'standard input';
  try {
    const pieces = await sayingWhile(source, () => process.stdin.toArray());
    return { source, text: Buffer.concat(pieces).toString('utf8') };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usageError(`\`files\` must be readable, got: ${source} (${code})`, cause);
  }
}

/**
 * Says on standard error how each link ended that did not pass, one line each, for whom the report
 * itself was printed before; answers the exit status of the check.
 */
async function judge(verification: Verification): Promise<number> {
  const [{ exitOf }, { codeTitle: titleOf }] = await Promise.all([
    import('../verify/model/verdict.js'),
    import('../verify/reports/diagnosis-text.js'),
  ]);
  const { title = 'check', links, connections = [], backends = [] } = verification;
  const say = (what: string, code: string) =>
    process.stderr.write(`${title}: ${what}: ${code}: ${titleOf(code)}\n`);
  for (const { name, verdict, stages, causes } of links) {
    const broken = stages.find(({ status }) => status === 'failed');
    if (broken === undefined) continue;
    say(`${name} is ${verdict}: ${broken.stage}`, causes[0]?.code ?? broken.code ?? '');
  }
  for (const { name, code } of connections) if (code !== undefined) say(name, code);
  for (const { name, server, code } of backends) {
    if (code !== undefined) say(server === undefined ? name : `${name} at ${server}`, code);
  }
  const exit = exitOf(verification);
  if (exit !== 0) process.stderr.write(`${title}: failed with status ${exit}, report above\n`);
  logCheck(exit);
  return exit;
}

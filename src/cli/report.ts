import { Command } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import type {
  BackendResult,
  ConnectionResult,
  LinkResult,
  Verification,
} from '../verify/model/verification.js';
import { logCheck } from './deploy/run-log.js';
import { chosenFormats, collect, parseArguments } from './program/arguments.js';
import { readNamedFile } from './program/named-files.js';
import { sayingWhile } from './program/waiting.js';
import { readFormat } from './verify/flags/row.js';
import { FLAGS, type Flags } from './verify/flags/table.js';
import { FORMAT_NAMES } from './verify/write-reports.js';

interface ReportFlags extends Pick<Flags, 'format' | 'verbose' | 'title'> {
  readonly exitStatus?: boolean;
}

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
  const flags = parseArguments<ReportFlags>(command, args);
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
  const ends = [...links.flatMap(endOfLink), ...[...connections, ...backends].flatMap(endOfPlugin)];
  for (const [what, code] of ends) {
    process.stderr.write(`${title}: ${what}: ${code}: ${titleOf(code)}\n`);
  }
  const exit = exitOf(verification);
  if (exit !== 0) process.stderr.write(`${title}: failed with status ${exit}, report above\n`);
  logCheck(exit);
  return exit;
}

type End = readonly [what: string, code: string];

function endOfLink({ name, verdict, stages, causes }: LinkResult): End[] {
  const broken = stages.find(({ status }) => status === 'failed');
  if (broken === undefined) return [];
  return [[`${name} is ${verdict}: ${broken.stage}`, causes[0]?.code ?? broken.code ?? '']];
}

function endOfPlugin({ name, code, ...rest }: ConnectionResult | BackendResult): End[] {
  if (code === undefined) return [];
  return [['server' in rest ? `${name} at ${rest.server}` : name, code]];
}

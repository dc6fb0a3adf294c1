import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { mermaidDiagram } from '../render/mermaid.js';
import { markedRules } from '../review/drawn-rules.js';
import { isDay } from '../review/exceptions.js';
import { readTree, type SynthesizedTree } from '../review/read-tree.js';
import type { ReviewReport } from '../review/report-schema.js';
import { markdownReport } from '../review/reports/markdown.js';
import { textReport } from '../review/reports/text.js';
import { exitOf, review } from '../review/review.js';
import { parseArguments } from './parse-arguments.js';

interface Flags {
  readonly base: string;
  readonly head: string;
  readonly format: readonly Format[];
  readonly today: string;
}

type FormatName = keyof typeof WRITERS;

interface Format {
  readonly name: FormatName;
  readonly file?: string;
}

type Writer = (report: ReviewReport, base: SynthesizedTree, head: SynthesizedTree) => string;

const WRITERS = {
  markdown: (report, base, head) => markdownReport(report, diagramOf(report, base, head)),
  text: textReport,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
} as const satisfies Record<string, Writer>;

const EXITS = `
Both folders are what \`cdktf synth --output FOLDER\` wrote; no cloud and no network is needed.
Exit status: 0 the same, neutral or narrower, 3 wider, 4 forbidden, 2 usage.`;

/** `secure-connectivity review`: what a change opens and closes, told for a pull request. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = commandLine();
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<Flags>();
  checkDay(flags.today);
  const formats = chosenFormats(flags.format);
  const base = readTree(flags.base, '--base');
  const head = readTree(flags.head, '--head');
  const report = review(base, head, flags.today);
  for (const { name, file } of formats) {
    const text = WRITERS[name](report, base, head);
    if (file === undefined) process.stdout.write(text);
    else write(file, text);
  }
  return exitOf(report);
}

function commandLine(): Command {
  return new Command('secure-connectivity review')
    .description('Tells what a change lets talk to whom, from two synthesized trees.')
    .requiredOption('--base <folder>', 'the tree before the change; an empty folder is no stacks')
    .requiredOption('--head <folder>', 'the tree with the change')
    .option(
      '--format <name[=file]>',
      'markdown, text or json; repeatable, once without a file (default: text)',
      collectFormat,
      [],
    )
    .option('--today <YYYY-MM-DD>', 'the day that exceptions are judged by (default: today, UTC)')
    .setOptionValue('today', new Date().toISOString().slice(0, 10))
    .addHelpText('after', EXITS);
}

function collectFormat(value: string, previous: readonly Format[]): Format[] {
  const [, name = '', file] = /^([a-z]+)(?:=(.+))?$/s.exec(value) ?? [];
  if (!isFormatName(name)) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` must be markdown, text or json, alone or with =FILE, got: "${value}"`,
    );
  }
  return [...previous, { name, ...(file !== undefined && { file }) }];
}

function chosenFormats(formats: readonly Format[]): readonly Format[] {
  const toStdout = formats.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` can be given once without a file, got: ${toStdout.map(({ name }) => name).join(', ')}`,
    );
  }
  return toStdout.length === 1 ? formats : [...formats, { name: 'text' }];
}

function checkDay(day: string): void {
  if (isDay(day)) return;
  throw new ConnectivityError('usage.invalid', `\`--today\` must be YYYY-MM-DD, got: "${day}"`);
}

/** Drawn where something changed; reviewers of an unchanged model need no picture of it. */
function diagramOf(
  { changes }: ReviewReport,
  base: SynthesizedTree,
  head: SynthesizedTree,
): string | undefined {
  return changes.length === 0 ? undefined : mermaidDiagram(markedRules(head, base));
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConnectivityError(
      'usage.invalid',
      `\`--format\` must name a file that can be written, got: ${file} (${code})`,
      { cause },
    );
  }
}

function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(WRITERS, name);
}

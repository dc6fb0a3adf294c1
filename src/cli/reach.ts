import { basename } from 'node:path';
import { Option } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import { EXIT } from '../codes/exit-status.js';
import type { OneEnd } from '../reach/questions/report.js';
import type { ReachReport } from '../reach/report-schema.js';
import type { AskedStack, Reached } from '../reach/ways/doors.js';
import type { Figure } from '../report/document.js';
import { DRAWING_WRITERS } from '../report/write.js';
import {
  chosenFormats,
  formatOption,
  MAX_READS,
  maxReadsOption,
  parseArguments,
} from './program/arguments.js';
import { readNamedFile, writeOutput } from './program/named-files.js';
import { newCommand } from './program/new-command.js';
import { terminalOf } from './program/output.js';
import { checkFlags, type Flags } from './reach-flags.js';

const HELP = `
Without --from and --to, the table of who may reach what. With one of them, the rows of what it may reach,
or of who may reach it. With both, a question: one end is an address or a network, the other a name of the
table; add :PORT to ask about one port only (orders:8080).
With --intents, the table of all intents, each with its answer by the rules, and the packet that breaks it.
Exit status: 0 answered; 4 an intent is broken; with --expect 0 as expected, 4 not as expected,
5 undecided; 2 usage.`;

/** `secure-connectivity reach`: who may reach what, and by which rules. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('reach')
    .option('--tree <folder>', 'what `synth` wrote (default: cdktf.out)')
    .option('--state <file>', 'a state, or what `terraform show -json` prints of one')
    .option('--plan <file>', 'what `terraform show -json PLAN` prints')
    .option('--live', 'the stacks of --tree as the cloud has them now, and what others have added')
    .addOption(maxReadsOption('--live'))
    .option('--stack <name...>', 'these stacks of the tree only')
    .option('--from <who>', 'an address, a network or a name of the table')
    .option('--to <whom[:port]>', 'the other end')
    .addOption(
      new Option(
        '--protocol <name>',
        'protocol of the question (default: tcp; any, with one end and no port)',
      ).choices(['tcp', 'udp', 'icmp', 'any']),
    )
    .option('--vpc <name>', 'answer for this VPC only: its Terraform address or identifier')
    .addOption(
      new Option('--expect <answer>', 'exit with 4 if the answer differs').choices([
        'reachable',
        'closed',
      ]),
    )
    .option(
      '--intents [file]',
      'the table of all intents, of this file or those beside the stacks of --tree',
    )
    .option('--write-intents <file>', 'propose a file of intents from what is open now')
    .option(
      '--base <folder>',
      'with a drawing (mermaid, svg, html), mark what opens and closes since this tree',
    )
    .option('--verbose', 'name resources by their Terraform addresses')
    .addOption(formatOption(DRAWING_WRITERS))
    .addHelpText('after', HELP);
  return await answer(parseArguments<Flags>(command, args));
}

async function answer(flags: Flags): Promise<number> {
  const formats = chosenFormats(flags.format ?? [], 'text');
  checkFlags(flags);
  const { intents, writeIntents } = flags;
  if (writeIntents !== undefined || intents !== undefined) {
    const stacks = await readStacks(flags);
    const { proposeFile, tableOfIntents } = await import('./reach-intents.js');
    if (writeIntents !== undefined) return proposeFile(writeIntents, stacks);
    return await tableOfIntents({ ...flags, intents: intents ?? true }, stacks, formats);
  }
  const { report, figure } = await makeReport(flags);
  const { reachDocument } = await import('../reach/reports/document.js');
  for (const { name, file } of formats) {
    const figures = name === 'markdown' ? [] : [figure];
    const document = async () => reachDocument(report, figures, flags.verbose ? String : undefined);
    const reported = { document, text: terminalOf(file), data: report };
    writeOutput('--format', file, await DRAWING_WRITERS[name](reported));
  }
  return exitOf(report.question, flags.expect);
}

/** Tells whether each place answers as expected, as an intent does: one that differs for certain decides. */
function exitOf(question: ReachReport['question'], expected: Flags['expect']): number {
  const answers = question?.places.map(({ answer }) => answer) ?? [];
  const others = answers.filter((one) => expected !== undefined && one !== expected);
  if (others.length === 0) return 0;
  return others.every((one) => one === 'undecided') ? EXIT.undecided : EXIT.forbidden;
}

async function makeReport(flags: Flags): Promise<{ report: ReachReport; figure: Figure }> {
  const [{ readReached }, { partsAsked, reachReport }, { makePicture }, { pictureFigure }] =
    await Promise.all([
      import('../reach/ways/doors.js'),
      import('../reach/questions/report.js'),
      import('../picture/make-picture.js'),
      import('../picture/page.js'),
    ]);
  const stacks: Reached[] = (await readStacks(flags)).map(readReached);
  const { base } = flags;
  const before = base && (await readFolder(base, '--base', flags.stack)).map(readReached);
  const drawn = (asked?: OneEnd) => {
    const cut = (all: readonly Reached[]) =>
      asked === undefined ? { stacks: all } : partsAsked(all, asked);
    return pictureFigure(() => makePicture(cut(stacks), before ? cut(before) : undefined));
  };
  const { from, to, protocol, vpc } = flags;
  if (from === undefined && to === undefined) {
    return { report: reachReport(stacks), figure: drawn() };
  }
  const { readEnd, readQuestion } = await import('../reach/questions/read-question.js');
  if (from === undefined || to === undefined) {
    const about = from === undefined ? { to } : { from };
    const end = readEnd({ ...flags, ...about }, stacks);
    return { report: reachReport(stacks, { about, end }), figure: drawn(end) };
  }
  const written = { from, to, protocol: protocol ?? 'tcp', ...(vpc !== undefined && { vpc }) };
  const question = readQuestion(written, stacks);
  return { report: reachReport(stacks, { ...written, question }), figure: drawn(question) };
}

async function readFolder(folder: string, flag: string, names: Flags['stack']) {
  const { readTree } = await import('../reach/read/read-tree.js');
  const all = [...readTree(folder, flag).values()];
  if (flag === '--tree') checkStacks(names, all);
  const chosen = all.filter(({ name }) => names === undefined || names.includes(name));
  return chosen.map((stack) => ({ ...stack, file: `stacks/${stack.name}/cdk.tf.json` }));
}

async function readStacks(flags: Flags): Promise<AskedStack[]> {
  const { tree, state, plan, live, stack: names } = flags;
  if (state !== undefined) {
    const [{ readStateFile }, { withoutOtherClouds }] = await Promise.all([
      import('../reach/read/state-file.js'),
      import('../reach/read/providers.js'),
    ]);
    const terraform = withoutOtherClouds(readStateFile(state, '--state'));
    return [{ name: basename(state), file: state, terraform }];
  }
  if (plan !== undefined) {
    const { left } = await readPlanned(plan);
    return [{ name: basename(plan), file: plan, terraform: left }];
  }
  const chosen = await readFolder(tree ?? 'cdktf.out', '--tree', names);
  if (live) {
    const { readLiveStacks } = await import('./live-stacks.js');
    const stacks = await readLiveStacks(tree ?? 'cdktf.out', chosen, flags.maxReads ?? MAX_READS);
    return stacks.map((stack) => ({ ...stack, file: 'the cloud' }));
  }
  return chosen;
}

async function readPlanned(file: string) {
  const [{ parsePlan }, { planStacks }] = await Promise.all([
    import('../reach/read/plan/parse-plan.js'),
    import('../reach/read/plan/plan-stacks.js'),
  ]);
  return planStacks(parsePlan(await readNamedFile('--plan', file), file));
}

function checkStacks(names: Flags['stack'], known: readonly { readonly name: string }[]): void {
  const missing = names?.find((name) => !known.some((stack) => stack.name === name));
  if (missing === undefined) return;
  const there = known.map(({ name }) => name).join(', ') || '(the tree has no stack)';
  throw usageError(`\`--stack\` must be one of ${there}, got: "${missing}"`);
}

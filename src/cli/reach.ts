import { basename } from 'node:path';
import { Option } from 'commander';
import { usageError } from '../codes/connectivity-error.js';
import { EXIT } from '../codes/exit-status.js';
import type { ReachReport } from '../reach/report-schema.js';
import type { AskedStack, Reached } from '../reach/ways/doors.js';
import {
  chosenFormats,
  formatOption,
  MAX_READS,
  maxReadsOption,
  parseArguments,
} from './program/arguments.js';
import { writeOutput } from './program/named-files.js';
import { newCommand } from './program/new-command.js';
import { checkFlags, type Flags } from './reach-flags.js';

const HELP = `
Without --from and --to, the table of who may reach what. With one of them, the rows of what it may reach,
or of who may reach it. With both, a question: one end is an address or a network, the other a name of the
table; add :PORT to ask about one port only (orders:8080).
With --intents, the table of all intents, each with its answer by the rules, and the packet that breaks it.
Exit status: 0 answered; 4 an intent is broken; with --expect 0 as expected, 4 not as expected,
5 undecided; 2 usage.`;

type Writer = (report: ReachReport, flags: Flags) => Promise<string>;

/** Each report in a module of its own. */
const WRITERS = {
  text: async (report) => (await import('../reach/reports/text.js')).textReport(report),
  markdown: async (report) => (await import('../reach/reports/markdown.js')).markdownReport(report),
  json: async (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  mermaid: async (_, flags) => await drawTrees(flags),
  // Written with intents, and refused by `checkFlags` without them.
  html: async () => {
    throw usageError('`--format html` needs `--intents`');
  },
} as const satisfies Record<string, Writer>;

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
      'with --format mermaid, mark what was added and removed since this tree',
    )
    .addOption(formatOption(WRITERS))
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
    return tableOfIntents({ ...flags, intents: intents ?? true }, stacks, formats);
  }
  const report = await makeReport(flags);
  for (const { name, file } of formats) {
    writeOutput('--format', file, await WRITERS[name](report, flags));
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

async function makeReport(flags: Flags): Promise<ReachReport> {
  const [{ readReached }, { reachReport }] = await Promise.all([
    import('../reach/ways/doors.js'),
    import('../reach/questions/report.js'),
  ]);
  const stacks: Reached[] = (await readStacks(flags)).map(readReached);
  const { from, to, protocol, vpc } = flags;
  if (from === undefined && to === undefined) return reachReport(stacks);
  const { readEnd, readQuestion } = await import('../reach/questions/read-question.js');
  if (from === undefined || to === undefined) {
    const about = from === undefined ? { to } : { from };
    return reachReport(stacks, { about, end: readEnd({ ...flags, ...about }, stacks) });
  }
  const written = { from, to, protocol: protocol ?? 'tcp', ...(vpc !== undefined && { vpc }) };
  return reachReport(stacks, { ...written, question: readQuestion(written, stacks) });
}

async function readStacks(flags: Flags): Promise<AskedStack[]> {
  const { tree, state, plan, live, stack: names } = flags;
  const file = state ?? plan;
  if (file !== undefined) {
    const { readStateFile } = await import('../reach/read/state-file.js');
    const terraform = readStateFile(file, state === undefined ? '--plan' : '--state');
    return [{ name: basename(file), file, terraform }];
  }
  const { readTree } = await import('../reach/read/read-tree.js');
  const all = [...readTree(tree ?? 'cdktf.out', '--tree').values()];
  checkStacks(names, all);
  const chosen = all.filter(({ name }) => names === undefined || names.includes(name));
  if (live) {
    const { readLiveStacks } = await import('./live-stacks.js');
    const stacks = await readLiveStacks(tree ?? 'cdktf.out', chosen, flags.maxReads ?? MAX_READS);
    return stacks.map((stack) => ({ ...stack, file: 'the cloud' }));
  }
  return chosen.map((stack) => ({ ...stack, file: `stacks/${stack.name}/cdk.tf.json` }));
}

function checkStacks(names: Flags['stack'], known: readonly { readonly name: string }[]): void {
  const missing = names?.find((name) => !known.some((stack) => stack.name === name));
  if (missing === undefined) return;
  const there = known.map(({ name }) => name).join(', ') || '(the tree has no stack)';
  throw usageError(`\`--stack\` must be one of ${there}, got: "${missing}"`);
}

/** The flowchart of a tree, or of some of its stacks, with what changed since another marked. */
async function drawTrees(flags: Flags): Promise<string> {
  const [{ readTree }, { markedRules }, { mermaidDiagram }] = await Promise.all([
    import('../reach/read/read-tree.js'),
    import('../review/diagram/drawn-rules.js'),
    import('../review/diagram/mermaid.js'),
  ]);
  const head = readTree(flags.tree ?? 'cdktf.out', '--tree');
  const base = flags.base === undefined ? head : readTree(flags.base, '--base');
  const { stack: names } = flags;
  return mermaidDiagram(
    markedRules(head, base).filter(({ stack }) => names === undefined || names.includes(stack)),
  );
}

import { liveLine } from '../progress/waiting.js';
import type { Account } from '../rehearse/timeline/account.js';
import { DOCUMENT_WRITERS } from '../report/write.js';
import {
  chosenFormats,
  collectTexts,
  type Format,
  formatOption,
  parseArguments,
  requireFolder,
} from './program/arguments.js';
import { readForStacks, readNamedJson, writeOutput } from './program/named-files.js';
import { newCommand } from './program/new-command.js';
import { terminalOf } from './program/output.js';
import { interruptible } from './program/signals.js';

const EXITS = `
Both folders are what \`secure-connectivity synth --out FOLDER\` wrote. It needs Terraform, but no cloud or
network access.
Exit status: 0 clean, 3 clients notice, an intent is broken for a while or it is not shown, 4 an intent is left
broken or the deploy, check, second plan, rollback or destroy fails, 5 no verdict, 2 usage.`;

interface Flags {
  readonly base: string;
  readonly head: string;
  readonly format?: readonly Format<keyof typeof DOCUMENT_WRITERS>[];
  readonly providerMirror?: string;
  readonly with?: string;
  readonly state?: readonly string[];
  readonly requireSeal?: true;
  readonly verbose?: true;
}

/** `secure-connectivity rehearse`: a change as clients would notice it, deployed in a sandbox. */
export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('rehearse')
    .requiredOption('--base <folder>', 'the tree before the change')
    .requiredOption('--head <folder>', 'the tree with the change')
    .addOption(formatOption(DOCUMENT_WRITERS))
    .option('--provider-mirror <folder>', 'use the genuine providers in this filesystem mirror')
    .option(
      '--state <[stack=]file>',
      'start from what is deployed, as `terraform show -json` prints it; repeatable, one per stack',
      collectTexts,
    )
    .option('--with <file>', 'resources that the cloud has from the start, as JSON by type and id')
    .option('--require-seal', 'refuse to run if this machine cannot create a network namespace')
    .option('--verbose', 'also print every step, and what is replaced')
    .addHelpText('after', EXITS);
  const flags = parseArguments<Flags>(command, args);
  const { requireSealed, seal } = await import('./program/seal.js');
  const sealed = await seal(['rehearse', ...args]);
  if ('status' in sealed) return sealed.status;
  if (flags.requireSeal) requireSealed('--require-seal', sealed.network);
  return await rehearseTrees(flags, sealed.network);
}

/** Rehearses one tree over another, writes the reports and answers the exit status. */
async function rehearseTrees(flags: Flags, network: string): Promise<number> {
  const [{ rehearsalExit: exitOf }, { readRehearsedTree }, { rehearse }, { readDeployedState }] =
    await Promise.all([
      import('../rehearse/outcome.js'),
      import('../rehearse/read-trees.js'),
      import('../rehearse/rehearse.js'),
      import('../rehearse/stage/terraform-state.js'),
    ]);
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { providerMirror, with: existing } = flags;
  if (providerMirror !== undefined) requireFolder('--provider-mirror', providerMirror);
  const base = readRehearsedTree(flags.base, '--base');
  const head = readRehearsedTree(flags.head, '--head');
  const states = await readForStacks('--state', flags.state ?? [], ['--base', base], async (file) =>
    readDeployedState(await readNamedJson('--state', file), '--state'),
  );
  const accounts: Account[] = [];
  const line = liveLine('rehearse');
  const report = await interruptible((signal) =>
    rehearse({
      base,
      head,
      signal,
      network,
      folders: { base: flags.base, head: flags.head },
      states,
      onAccount: (account) => accounts.push(account),
      onProgress: line.show,
      ...(providerMirror !== undefined && { providerMirror }),
      ...(existing !== undefined && { existing }),
    }),
  ).finally(line.end);
  const [{ rehearsalDocument }, { rehearsalFigure }] = await Promise.all([
    import('../rehearse/report/document.js'),
    import('./rehearsal-figure.js'),
  ]);
  for (const { name, file } of formats) {
    const written = await DOCUMENT_WRITERS[name]({
      document: async () => rehearsalDocument(report, [rehearsalFigure(report, accounts[0])]),
      text: { ...terminalOf(file), isVerbose: flags.verbose === true },
      data: report,
    });
    writeOutput('--format', file, written);
  }
  return exitOf(report);
}

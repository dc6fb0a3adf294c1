import { statSync } from 'node:fs';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { htmlReport } from '../../rehearse/html-report.js';
import { exitOf } from '../../rehearse/outcome.js';
import { type RehearsedTree, readRehearsedTree } from '../../rehearse/read-trees.js';
import { rehearse } from '../../rehearse/rehearse.js';
import type { RehearsalReport } from '../../rehearse/report-schema.js';
import { type DeployedState, readDeployedState } from '../../rehearse/stage/terraform-state.js';
import { markdownReport, textReport } from '../../rehearse/text-report.js';
import { readNamedJson } from '../program/read-named-file.js';
import { chosenFormats, type Format } from '../program/report-formats.js';
import { interruptible } from '../program/signals.js';
import { writeNamedFile } from '../program/write-named-file.js';

export type FormatName = 'text' | 'markdown' | 'json' | 'html';

export interface RehearseFlags {
  readonly base: string;
  readonly head: string;
  readonly format?: readonly Format<FormatName>[];
  readonly providerMirror?: string;
  readonly with?: string;
  readonly interrupt?: 'all';
  readonly state?: readonly string[];
}

const WRITERS = {
  text: textReport,
  markdown: markdownReport,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  html: htmlReport,
} as const satisfies Record<FormatName, (report: RehearsalReport) => string>;

/** Rehearses one tree over another, writes the reports and answers the exit status. */
export async function rehearseTrees(flags: RehearseFlags): Promise<number> {
  const formats = chosenFormats(flags.format ?? [], 'text');
  const { providerMirror, with: existing } = flags;
  if (providerMirror !== undefined) checkFolder(providerMirror);
  const base = readRehearsedTree(flags.base, '--base');
  const head = readRehearsedTree(flags.head, '--head');
  const states = await readStates(flags.state ?? [], base);
  const report = await interruptible((signal) =>
    rehearse({
      base,
      head,
      signal,
      states,
      interrupt: flags.interrupt === 'all',
      ...(providerMirror !== undefined && { providerMirror }),
      ...(existing !== undefined && { existing }),
    }),
  );
  for (const { name, file } of formats) {
    const text = WRITERS[name](report);
    if (file === undefined) process.stdout.write(text);
    else writeNamedFile('--format', file, text);
  }
  return exitOf(report);
}

/** Reads `FILE`, where the base has one stack, or `STACK=FILE`. */
async function readStates(
  values: readonly string[],
  base: RehearsedTree,
): Promise<Map<string, DeployedState>> {
  const states = new Map<string, DeployedState>();
  for (const value of values) {
    const [, named, rest = ''] = /^([\w-]+)=(.+)$/s.exec(value) ?? [];
    const file = named === undefined ? value : rest;
    const only = base.length === 1 ? base[0] : undefined;
    const stack = named === undefined ? only : base.find(({ name }) => name === named);
    if (stack === undefined || states.has(stack.name)) {
      const names = base.map(({ name }) => name).join(', ');
      throw new ConnectivityError(
        'usage.invalid',
        `\`--state\` must name each stack of the base once, as STACK=FILE (${names}), got: "${value}"`,
      );
    }
    states.set(stack.name, readDeployedState(await readNamedJson('--state', file), '--state'));
  }
  return states;
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`--provider-mirror\` must be a folder, got: "${folder}"`,
  );
}

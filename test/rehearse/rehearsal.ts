import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRehearsedTree } from '../../src/rehearse/read-trees.js';
import { type RehearsalOptions, rehearse } from '../../src/rehearse/rehearse.js';
import type { RehearsalReport } from '../../src/rehearse/report-schema.js';
import type { Account } from '../../src/rehearse/timeline/account.js';
import type { Settings } from '../changes/row.js';
import { BASE } from '../changes/settings.js';
import { type StackName, synthesizeTo } from '../changes/synthesize.js';
import { expectLaneAnswers, type LanesAsked } from '../support/lane-answers.js';
import { expectStepAnswers } from '../support/step-answers.js';
import { expectLanesOfFindings } from './lanes-of-findings.js';

/** How often `reach` was asked about lanes by all rehearsals of a test file. */
export const LANES_ASKED: Record<keyof LanesAsked, number> = { links: 0, plugins: 0, intents: 0 };

export type Change = (settings: Settings) => unknown;

/** One change of a stack's settings. */
export interface RehearsedChange {
  readonly stack: StackName;
  /** Settings of the base beyond the smallest ones of the stack. */
  readonly base?: Change;
  readonly head: Change;
  /** An edit in the synthesized stack of the head, in place. */
  readonly edit?: (stack: Settings) => unknown;
}

/**
 * Synthesizes a change before and after, and rehearses it. With `PROVIDER_MIRROR` in the environment
 * the genuine providers in that folder run in place of the stand-ins.
 */
export async function rehearseChange(
  { stack, base: makeBase, head: makeHead, edit }: RehearsedChange,
  options: Partial<RehearsalOptions> = {},
): Promise<RehearsalReport> {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsed-'));
  const providerMirror = process.env.PROVIDER_MIRROR;
  try {
    const settings = structuredClone(BASE[stack]);
    makeBase?.(settings);
    synthesizeTo(join(folder, 'base'), stack, settings);
    makeHead(settings);
    synthesizeTo(join(folder, 'head'), stack, settings);
    if (edit !== undefined) editStack(join(folder, 'head', 'stacks'), edit);
    const accounts: Account[] = [];
    const report = await rehearse({
      onAccount: (account) => accounts.push(account),
      base: readRehearsedTree(join(folder, 'base'), '--base'),
      head: readRehearsedTree(join(folder, 'head'), '--head'),
      ...(providerMirror !== undefined && { providerMirror }),
      ...options,
    });
    expectLanesOfFindings(report);
    const { summary, findings, head, rollback } = report;
    const ofDeploy = { summary, findings, timeline: head.timeline };
    const ofRollback = { summary: '', findings: rollback.findings, timeline: rollback.timeline };
    for (const [i, account] of accounts.entries()) {
      expectStepAnswers(i === 0 ? ofDeploy : ofRollback, account.passage);
      const asked = expectLaneAnswers(account);
      for (const kind of ['links', 'plugins', 'intents'] as const) LANES_ASKED[kind] += asked[kind];
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function editStack(stacks: string, edit: (stack: Settings) => unknown): void {
  for (const name of readdirSync(stacks)) {
    const file = join(stacks, name, 'cdk.tf.json');
    const json = JSON.parse(readFileSync(file, 'utf8'));
    edit(json);
    writeFileSync(file, JSON.stringify(json));
  }
}

/** A member of settings, to be changed in place. */
export function member(settings: Settings, ...path: readonly string[]): Settings {
  return path.reduce((inner, name) => inner[name] as Settings, settings);
}

/** Gives members of a member other values. */
export function set(path: readonly string[], change: Settings): Change {
  return (settings) => Object.assign(member(settings, ...path), change);
}

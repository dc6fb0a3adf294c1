import { EXIT } from '../codes/codes.js';
import { REACHABLE } from './check.js';
import type { Move } from './move.js';
import type { RehearsalFinding, RehearsalReport, TimelineStep } from './report-schema.js';

/** 0 clean, 3 where clients notice something, 4 where something fails. */
export function rehearsalExit({ outcome }: Pick<RehearsalReport, 'outcome'>): number {
  if (outcome === 'failed') return EXIT.forbidden;
  return outcome === 'noticed' ? EXIT.needsApproval : 0;
}

type MoveResult = Pick<Move, 'deployed' | 'check' | 'replan'>;

interface Course {
  readonly there: MoveResult;
  readonly back: MoveResult | undefined;
  readonly destroy: RehearsalReport['destroy'];
}

/** Something that concerns no stack in particular. */
export function failure(what: string, text: string, remedy: string): RehearsalFinding {
  return { kind: 'failure', stack: '', what, text, remedy };
}

/** What of the whole course did not work. */
export function failures({ there, back, destroy }: Course): RehearsalFinding[] {
  const all: RehearsalFinding[] = [];
  const broken = (name: string, { deployed, check: checked, replan }: MoveResult) => {
    const { status, errors } = deployed.result;
    if (status !== 'passed') {
      const how = status === 'refused' ? 'is refused, and nothing is changed' : 'fails midway';
      const text = `the ${name} ${how}: ${errors.join('; ')}`;
      all.push(failure(name, text, 'do what the message says'));
    }
    for (const { name: link, seen } of checked.links.filter(({ seen: one }) => one !== REACHABLE)) {
      const remedy = `secure-connectivity explain ${seen}`;
      all.push(failure(name, `the check after the ${name} fails: ${link}: ${seen}`, remedy));
    }
    if (replan.status === 'failed') {
      const text = `a second plan of the ${name} is not empty: ${replan.changes.join(', ')}`;
      all.push(failure(name, text, 'give the attribute the value that the cloud has'));
    }
  };
  broken('deploy', there);
  if (back !== undefined) broken('rollback', back);
  if (destroy.deploy.status !== 'passed') {
    const text = `the destroy fails: ${destroy.deploy.errors.join('; ')}`;
    all.push(failure('destroy', text, 'do what the message says'));
  } else if (destroy.left.length > 0) {
    const text = `the destroy leaves ${destroy.left.join(', ')}`;
    all.push(failure('destroy', text, 'delete it by hand after a destroy'));
  }
  return all;
}

export function decideOutcome(findings: readonly RehearsalFinding[]): RehearsalReport['outcome'] {
  if (findings.some(({ kind }) => kind === 'failure')) return 'failed';
  return findings.length > 0 ? 'noticed' : 'clean';
}

export const WORDS = { failed: 'FAILED', noticed: 'CLIENTS NOTICE', clean: 'CLEAN' } as const;

/** The worst finding in words. */
export function summarize(
  findings: readonly RehearsalFinding[],
  { steps }: { readonly steps: readonly TimelineStep[] },
): string {
  const outcome = decideOutcome(findings);
  const worst =
    findings.find(({ kind }) => (outcome === 'failed') === (kind === 'failure')) ?? findings[0];
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  if (worst === undefined) {
    return steps.length === 0
      ? `${WORDS.clean}: nothing changes`
      : `${WORDS.clean}: ${count}, no link is cut, nothing opens in between, and the rollback works`;
  }
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `${WORDS[outcome]}: ${worst.text}${more}`;
}

import type { Intent } from '../../intents/intents-file.js';
import type { DecidingRule } from '../report-schema.js';

/** The answer for an intent. */
export interface IntentAnswer {
  readonly name: string;
  readonly expect: 'reachable' | 'closed';
  readonly verdict: 'holds' | 'broken' | 'undecided' | 'elsewhere';
  /** A packet that breaks the intent: it passes and must not, or the other way round. */
  readonly packet?: string;
  /** The rules that decide on that packet. */
  readonly rules: readonly DecidingRule[];
  /** Reasons why it is not decided, a sentence each. */
  readonly depends: readonly string[];
  /** The intent's exception; in force, it lets a deploy go on. */
  readonly exception?: NonNullable<Intent['exception']>;
}

/** Tells whether an answer stops a deploy. @param today `YYYY-MM-DD` */
export function isRefused({ verdict, exception }: IntentAnswer, today: string): boolean {
  return verdict === 'broken' && (exception === undefined || exception.expires < today);
}

/** The result for a part of an intent. */
export type Found = Pick<IntentAnswer, 'verdict' | 'packet' | 'rules' | 'depends'>;

export const HOLDS: Found = { verdict: 'holds', rules: [], depends: [] };

export function undecided(...depends: string[]): Found {
  return { verdict: 'undecided', rules: [], depends };
}

export function broken(packet: string, rules: readonly DecidingRule[]): Found {
  return { verdict: 'broken', packet, rules, depends: [] };
}

/** Joins what was found of all parts: one that is broken breaks the intent. */
export function joinFound(all: readonly Found[]): Found {
  const first = all.find(({ verdict }) => verdict === 'broken');
  if (first !== undefined) return first;
  const depends = all.flatMap((one) => one.depends);
  return depends.length === 0 ? HOLDS : undecided(...new Set(depends));
}

/** @param today `YYYY-MM-DD`, where it is known: the exception may have expired */
function exceptionText({ exception }: IntentAnswer, today: string | undefined): string {
  if (exception === undefined) return '';
  const { owner, expires } = exception;
  const isOver = today !== undefined && expires < today;
  return ` (exception of ${owner} ${isOver ? 'expired on' : 'until'} ${expires})`;
}

/** An answer in one line: `"nobody else does" is broken: 10.9.0.1 → agent-service:443, let through by …`. */
export function answerText(answer: IntentAnswer, today?: string): string {
  const { name, verdict, expect, packet = '', rules, depends } = answer;
  const quoted = JSON.stringify(name);
  if (verdict === 'undecided')
    return `${quoted} is not decided; it depends on: ${depends.join('; ')}`;
  if (verdict !== 'broken') return `${quoted} ${WORDS[verdict]}`;
  const by = rules.map(({ resource, rule }) => `${resource} (${rule})`).join(', ');
  const why =
    expect === 'closed' ? `let through by ${by}` : `stopped by ${by || 'the lack of a rule'}`;
  return `${quoted} is broken: ${packet}, ${why}${exceptionText(answer, today)}`;
}

/** The verdicts for people. */
export const WORDS = {
  holds: 'holds',
  broken: 'broken',
  undecided: 'not decided',
  elsewhere: 'does not apply here',
} as const;

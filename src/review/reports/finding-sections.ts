import { factsOf, isCode } from '../../codes/codes.js';
import type { Decision, Finding, FindingKind, ReviewReport } from '../report-schema.js';
import { beforeAndAfter, describeActions, join } from '../summary.js';

/** A part of a report: a table, or sentences. Reports differ only in how they print it. */
export interface Section {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows are steps: their order matters. */
  readonly isOrdered?: true;
  /** What the rows come to, where there are too many to print. */
  readonly totals?: readonly string[];
}

/** The findings in tables of six columns at most, the forbidden ones in the first. */
export function findingSections({ findings, digests }: ReviewReport): Section[] {
  const stacks = new Set([...findings, ...digests].map(({ stack }) => stack));
  const hasStacks = stacks.size > 1;
  const forbidden = findings.filter(({ decision }) => decision === 'forbidden');
  const others = findings.filter(({ decision }) => decision !== 'forbidden');
  return [
    forbiddenSection(forbidden, hasStacks),
    ...Object.entries(ACCESS_TITLES).map(([decision, title]) => {
      const rows = others.filter((one) => one.kind === 'access' && one.decision === decision);
      return accessSection(title, rows, hasStacks);
    }),
    ...Object.entries(TITLES).map(([kind, title]) => {
      const rows = others.filter((one) => one.kind === kind);
      return changeSection(title, rows, hasStacks);
    }),
  ];
}

const ACCESS_TITLES: Readonly<Record<Exclude<Decision, 'forbidden'>, string>> = {
  'needs-approval': 'Newly reachable',
  narrower: 'No longer reachable',
  'no-change': 'Reachable as before',
};

const TITLES: Readonly<Record<Exclude<FindingKind, 'access'>, string>> = {
  policy: 'Against the policy',
  destination: 'Where traffic goes',
  control: 'Who controls the deploy',
  safeguard: 'Safeguards',
  disruption: 'Removed, replaced, and what clients notice',
  disagreement: 'Terraform and access.json differ',
  unread: 'Changed, and not read by this review',
};

function forbiddenSection(findings: readonly Finding[], hasStacks: boolean): Section {
  return {
    title: 'Forbidden',
    columns: ['what', 'through', 'before → after', 'remedy', 'code'],
    rows: findings.map((finding) => [
      join(': ', finding.who, finding.what),
      through(finding, hasStacks),
      beforeAndAfter(finding),
      findRemedy(finding),
      finding.code ?? finding.kind,
    ]),
    totals: totals(findings),
  };
}

function findRemedy({ code = '', consequence = '' }: Finding): string {
  return isCode(code) ? factsOf(code).remedy : consequence;
}

function accessSection(title: string, findings: readonly Finding[], hasStacks: boolean): Section {
  return {
    title,
    columns: ['who', 'what', 'through', 'before → after', 'addresses', 'reason or exception'],
    rows: findings.map((finding) => [
      finding.who,
      finding.what,
      through(finding, hasStacks),
      beforeAndAfter(finding),
      signedAddresses(finding),
      explain(finding) || 'none given',
    ]),
    totals: totals(findings),
  };
}

function changeSection(title: string, findings: readonly Finding[], hasStacks: boolean): Section {
  return {
    title,
    columns: ['decision', 'what', 'through', 'before → after', 'what it means'],
    rows: findings.map((finding) => [
      WORDS[finding.decision],
      join(': ', finding.who, finding.what),
      through(finding, hasStacks),
      beforeAndAfter(finding),
      join('; ', finding.consequence, explain(finding)),
    ]),
    totals: totals(findings),
  };
}

const WORDS: Readonly<Record<Decision, string>> = {
  forbidden: 'forbidden',
  'needs-approval': 'needs approval',
  narrower: 'narrower',
  'no-change': 'for information',
};

/** The resource, its stack where there are several, and what a deploy does to it where a plan says it. */
function through({ resource, stack, planned }: Finding, hasStacks: boolean): string {
  const more = join('; ', hasStacks ? stack : '', planned && describeActions(planned));
  return more === '' ? resource : `${resource} (${more})`;
}

function signedAddresses({ addresses, decision }: Finding): string {
  if (addresses === undefined) return '';
  return `${decision === 'narrower' ? '−' : decision === 'no-change' ? '' : '+'}${addresses}`;
}

/** A reason that the base gives already must not look as if it covered something new. */
function explain({ exception, reason, isReasonOld }: Finding): string {
  return join(
    '; ',
    exception && `exception: ${exception}`,
    isReasonOld ? `${reason} (reason not new)` : reason,
  );
}

/** So many resources are named where there are too many rows. */
const MOST_TOTALS = 20;

/** One sentence for each resource, the one with the most rows first. */
function totals(findings: readonly Finding[]): string[] {
  const counts = new Map<string, number>();
  for (const { resource, stack } of findings) {
    const key = `${resource} (${stack})`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const rest = most.length - MOST_TOTALS;
  return [
    ...most.slice(0, MOST_TOTALS).map(([key, count]) => `${key}: ${count}`),
    ...(rest > 0 ? [`${rest} more resources`] : []),
  ];
}

import { factsOf, isCode } from '../../codes/codes.js';
import type { Decision, Finding, FindingKind, ReviewReport } from '../report-schema.js';
import { groupBy } from '../sets/region.js';
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

/** The cells of a row, by the titles of their columns. */
export type Columns<T> = Readonly<Record<string, (row: T) => string>>;

export function tableOf<T>(title: string, rows: readonly T[], columns: Columns<T>): Section {
  const cells = Object.values(columns);
  const texts = rows.map((row) => cells.map((toText) => toText(row)));
  return { title, columns: Object.keys(columns), rows: texts };
}

/** The findings in tables of six columns at most, the forbidden ones in the first. */
export function findingSections({ findings, digests }: ReviewReport): Section[] {
  const stacks = new Set([...findings, ...digests].map(({ stack }) => stack));
  const all = findings.map((one): Row => ({ ...one, through: through(one, stacks.size > 1) }));
  const forbidden = all.filter(({ decision }) => decision === 'forbidden');
  const others = all.filter(({ decision }) => decision !== 'forbidden');
  const section = (title: string, rows: readonly Row[], columns: Columns<Row>): Section => {
    return { ...tableOf(title, rows, columns), totals: totals(rows) };
  };
  return [
    section('Forbidden', forbidden, FORBIDDEN),
    ...Object.entries(ACCESS_TITLES).map(([decision, title]) => {
      const rows = others.filter((one) => one.kind === 'access' && one.decision === decision);
      return section(title, rows, ACCESS);
    }),
    ...Object.entries(TITLES).map(([kind, title]) => {
      const rows = others.filter((one) => one.kind === kind);
      return section(title, rows, CHANGES);
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

interface Row extends Finding {
  /** {@link through} */
  readonly through: string;
}

const FORBIDDEN: Columns<Row> = {
  what: ({ who, what }) => join(': ', who, what),
  through: (row) => row.through,
  'before → after': beforeAndAfter,
  remedy: ({ code = '', consequence = '' }) => (isCode(code) ? factsOf(code).remedy : consequence),
  code: ({ code, kind }) => code ?? kind,
};

const ACCESS: Columns<Row> = {
  who: ({ who }) => who,
  what: ({ what }) => what,
  through: (row) => row.through,
  'before → after': beforeAndAfter,
  addresses: signedAddresses,
  'reason or exception': (finding) => explain(finding) || 'none given',
};

const CHANGES: Columns<Row> = {
  decision: ({ decision }) => WORDS[decision],
  what: ({ who, what }) => join(': ', who, what),
  through: (row) => row.through,
  'before → after': beforeAndAfter,
  'what it means': (finding) => join('; ', finding.consequence, explain(finding)),
};

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
  const byResource = groupBy(findings, ({ resource, stack }) => `${resource} (${stack})`);
  const most = [...byResource].sort(([, a], [, b]) => b.length - a.length);
  const rest = most.length - MOST_TOTALS;
  return [
    ...most.slice(0, MOST_TOTALS).map(([key, { length }]) => `${key}: ${length}`),
    ...(rest > 0 ? [`${rest} more resources`] : []),
  ];
}

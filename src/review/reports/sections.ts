import { factsOf, isCode } from '../../codes/codes.js';
import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { type ResourceNames, resourceNames } from '../../reach/reports/names.js';
import { type Columns, listOf, type Section, tableOf } from '../../report/document.js';
import { foldRows } from '../decision/port-rows.js';
import { beforeAndAfter, describeActions, isOneDoor } from '../decision/summary.js';
import { isOfList, join } from '../packet-changes.js';
import type { Decision, Finding, FindingKind, ReviewReport } from '../report-schema.js';

/** The parts that have something to say, the most urgent first. @param names of resources */
export function makeSections(report: ReviewReport, names = namesIn(report)): Section[] {
  const { intents = [], notes, treeDigest } = report;
  // Where nothing is opened or weakened, nobody asks for a ticket.
  const isAsked = ['needs-approval', 'forbidden'].includes(report.decision);
  return [
    ...findingSections(report, names),
    tableOf('What the plans do, in numbers of objects', report.plans, PLANS),
    tableOf('Address lists', report.addressLists, ADDRESS_LISTS),
    tableOf('Base URLs', report.domains, DOMAINS),
    steps(report),
    tableOf('Exceptions', report.exceptions, EXCEPTIONS),
    tableOf('Intents', intents.filter(isIntentToRead), INTENTS),
    listOf('Notes', notes),
    listOf(
      'Tree digest: all files that a deploy reads, for `deploy --reviewed`',
      treeDigest === undefined ? [] : [treeDigest],
    ),
    ...[
      tableOf(
        'Intents that hold',
        intents.filter((intent) => !isIntentToRead(intent)),
        INTENTS,
      ),
      tableOf(
        'Tickets (tag of the stack, not of a change)',
        isAsked ? report.tickets : [],
        COMPARED,
      ),
      tableOf('Digests of what Terraform opens', report.digests, COMPARED),
    ].map((section) => ({ ...section, isFolded: true as const })),
  ].filter(({ rows }) => rows.length > 0);
}

/** Tells whether something is to be done about an intent, or seen: one that held and holds is neither. */
function isIntentToRead({ base, head }: Intent): boolean {
  return base !== 'holds' || head !== 'holds';
}

type Intent = NonNullable<ReviewReport['intents']>[number];

/** Calls resources by their own names, by which people know them; two that would be called alike by their addresses. */
function namesIn({ findings }: ReviewReport): ResourceNames {
  return resourceNames(findings.flatMap(({ resource }) => resource.split(LISTED)));
}

/** Parts the addresses of a finding of several resources. */
const LISTED = ', ';

/** The findings in tables of six columns at most, the forbidden ones in the first. */
export function findingSections(report: ReviewReport, names = namesIn(report)): Section[] {
  const { findings, digests } = report;
  const stacks = new Set([...findings, ...digests].map(({ stack }) => stack));
  const folded = foldRows(findings).map((one) => ({
    ...one,
    resource: one.resource.split(LISTED).map(names).join(LISTED),
  }));
  const section = (
    title: string,
    columns: Columns<Finding>,
    isIn: (row: Finding) => boolean,
  ): Section => {
    const rows = folded.filter(isIn);
    return { ...tableOf(title, rows, columns, stacks.size > 1), totals: totals(rows) };
  };
  return [
    section('Forbidden', FORBIDDEN, ({ decision }) => decision === 'forbidden'),
    ...Object.entries(ACCESS_TITLES).flatMap(([wanted, titles]) =>
      titles.map((title, i) =>
        section(
          title,
          ACCESS,
          (finding) =>
            finding.kind === 'access' &&
            finding.decision === wanted &&
            i === (isOfList(finding) ? 1 : isOneDoor(finding) ? 2 : 0),
        ),
      ),
    ),
    ...Object.entries(TITLES).map(([wanted, title]) =>
      section(title, CHANGES, ({ kind, decision }) => kind === wanted && decision !== 'forbidden'),
    ),
  ];
}

/** The titles of rows on what rules let through, and on lists, which do nothing until a rule refers to them. */
const ACCESS_TITLES: Readonly<Record<Exclude<Decision, 'forbidden'>, readonly string[]>> = {
  'needs-approval': [
    'Newly reachable',
    'Newly in lists',
    'Newly accepted by a rule; on the whole way nothing changes',
  ],
  narrower: [
    'No longer reachable',
    'No longer in lists',
    'No longer accepted by a rule; on the whole way nothing changes',
  ],
  'no-change': ['Reachable as before'],
};

const TITLES: Readonly<Record<Exclude<FindingKind, 'access'>, string>> = {
  policy: 'Against the policy',
  drift: 'Since the last deploy, in the cloud',
  destination: 'Where traffic goes',
  control: 'Who controls the deploy',
  safeguard: 'Safeguards',
  disruption: 'Removed, replaced, and what clients notice',
  disagreement: 'Terraform and access.json differ',
  unread: 'Changed, and not read by this review',
};

const FORBIDDEN: Columns<Finding> = {
  what: ({ who, what }) => join(': ', who, what),
  through,
  'before → after': beforeAndAfter,
  remedy: ({ code = '', consequence = '' }) => (isCode(code) ? factsOf(code).remedy : consequence),
  code: ({ code, kind }) => code ?? kind,
};

const ACCESS: Columns<Finding> = {
  who: ({ who }) => who,
  what: ({ what }) => what,
  through,
  'before → after': (finding) => join('; ', beforeAndAfter(finding), finding.packet),
  addresses: signedAddresses,
  'reason or exception': (finding) => explain(finding) || 'no reason',
};

const CHANGES: Columns<Finding> = {
  decision: ({ decision }) => WORDS[decision],
  what: ({ who, what }) => join(': ', who, what),
  through,
  'before → after': (finding) => join('; ', beforeAndAfter(finding), finding.packet),
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

/** Groups digits, as in `4,194,304`: a forge would link so long a number as a commit. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function signedAddresses({ addresses, decision }: Finding): string {
  if (addresses === undefined) return '';
  return `${decision === 'narrower' ? '−' : decision === 'no-change' ? '' : '+'}${grouped(addresses)}`;
}

/** A reason that the base gives already must not look as if it covered something new. */
function explain({ exception, reason, isReasonOld }: Finding): string {
  return join(
    '; ',
    exception && `exception: ${exception}`,
    isReasonOld ? `${reason} (same reason as existing rules)` : reason,
  );
}

/** The number of resources that are named if there are too many rows. */
const MAX_TOTALS = 20;

/** One sentence for each resource, the one with the most rows first. */
function totals(findings: readonly Finding[]): string[] {
  const byResource = groupBy(findings, ({ resource, stack }) => `${resource} (${stack})`);
  const most = [...byResource].sort(([, a], [, b]) => b.length - a.length);
  const rest = most.length - MAX_TOTALS;
  return [
    ...most.slice(0, MAX_TOTALS).map(([key, { length }]) => `${key}: ${length}`),
    ...(rest > 0 ? [counted(rest, 'more resource')] : []),
  ];
}

/** The columns of what a report lists under a name. */
type ColumnsOf<Name extends 'plans' | 'addressLists' | 'domains' | 'exceptions' | 'digests'> =
  Columns<ReviewReport[Name][number]>;

const PLANS: ColumnsOf<'plans'> = {
  stack: ({ stack }) => stack,
  'to import': (plan) => String(plan.import),
  'to add': ({ add }) => String(add),
  'to change': ({ change }) => String(change),
  'to replace': ({ replace }) => String(replace),
  'to destroy': ({ destroy }) => String(destroy),
};

const ADDRESS_LISTS: ColumnsOf<'addressLists'> = {
  list: ({ list, stack }) => `${list} (${stack})`,
  source: ({ source }) => source ?? 'not stated',
  version: ({ versionWas, versionNow }) =>
    versionWas === versionNow
      ? (versionNow ?? 'not stated')
      : `${versionWas ?? 'none'} → ${versionNow ?? 'none'}`,
  added: ({ added }) => added.join(', '),
  removed: ({ removed }) => removed.join(', '),
};

const DOMAINS: ColumnsOf<'domains'> = {
  link: ({ link, stack }) => `${link} (${stack})`,
  before: ({ was }) => was,
  after: ({ now }) => now ?? 'gone',
};

function steps({ steps: all }: ReviewReport): Section {
  const at = (when: string) => all.filter((step) => step.when === when).map(({ text }) => [text]);
  const rows = [...at('before the deploy'), ['Deploy.'], ...at('after the deploy')];
  const title = 'Manual steps, in this order';
  return { title, columns: [], rows: all.length === 0 ? [] : rows, isOrdered: true };
}

const EXCEPTIONS: ColumnsOf<'exceptions'> = {
  state: ({ isNew, state }) => (isNew ? `${state}, new` : state),
  subject: ({ subject, stack }) => `${subject} (${stack})`,
  rule: ({ rule }) => rule,
  reason: ({ reason }) => reason,
  owner: ({ owner }) => owner,
  'last day': ({ expires }) => expires,
};

const INTENTS: Columns<Intent> = {
  intent: ({ name }) => name,
  expected: ({ expect }) => expect,
  before: ({ base }) => base,
  after: ({ head }) => head,
  detail: ({ detail }) => detail,
};

const COMPARED: ColumnsOf<'digests'> = {
  stack: ({ stack }) => stack,
  base: ({ base }) => base ?? 'none',
  head: ({ base, head }) => (head === base && head !== undefined ? 'unchanged' : (head ?? 'none')),
};

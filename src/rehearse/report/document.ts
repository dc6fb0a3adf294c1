import { counted } from '../../lists/counted.js';
import { resourceNames, shortName } from '../../reach/reports/names.js';
import {
  type Figure,
  listOf as list,
  type ReportDocument,
  type Section,
} from '../../report/document.js';
import type { RehearsalFinding, RehearsalReport, TimelineStep } from '../report-schema.js';
import { foldRows, splitFindings } from './headline.js';

/** Begins every comment, so that the next one finds and replaces it. */
const COMMENT_MARK = '<!-- secure-connectivity rehearsal -->';

/** Makes the document of a rehearsal. @param figures drawings of its steps */
export function rehearsalDocument(
  report: RehearsalReport,
  figures: readonly Figure[] = [],
): ReportDocument {
  const { summary: headline, outcome } = report;
  const tone = outcome === 'clean' ? 'passed' : outcome === 'noticed' ? 'warned' : 'failed';
  return { headline, tone, sections: makeSections(report), figures, mark: COMMENT_MARK };
}

/** The parts of a report that have something to say; what the headline says they do not repeat. */
function makeSections(report: RehearsalReport): Section[] {
  const { head, rollback, replaced, notes, network } = report;
  const { first, others } = splitFindings(report);
  const isTold = ({ effects, refused }: TimelineStep) =>
    effects.length > 0 || refused !== undefined;
  const toText = stepTexts([...head.timeline.steps, ...rollback.timeline.steps]);
  const steps = (all: readonly TimelineStep[]) => all.map((step) => toText(step, all.length));
  const told = head.timeline.steps.filter(isTold);
  const back = foldRows(rollback.findings);
  const isReverse = isSameInReverse(back, foldRows(report.findings));
  return [
    {
      ...list('Remedy', first?.remedy === undefined ? [] : [first.remedy]),
      isFirst: true as const,
    },
    findings('What else clients notice', others),
    list(
      `Steps that matter (${told.length} of ${head.timeline.steps.length})`,
      told.map((step) => toText(step, head.timeline.steps.length)),
    ),
    list('Checks', endings(report)),
    isReverse
      ? list('What the rollback costs', ['the same as the deploy, in reverse'])
      : findings('What the rollback costs', back),
    list('Notes', network === 'none' ? notes : [...notes, `network: ${network}`]),
    ...[
      list('Every step', steps(head.timeline.steps)),
      ...(isReverse ? [findings('The same in reverse', back)] : []),
      list('Rollback, step by step', steps(rollback.timeline.steps)),
      list(
        'Replaced',
        replaced.map(({ stack, resource }) => `${resource} (${stack})`),
      ),
      list('Rehearsed', rehearsed(report)),
      list('Legend', legend(report)),
    ].map((section) => ({ ...section, isFolded: true as const })),
  ].filter(({ rows }) => rows.length > 0);
}

/** Tells whether clients notice of a rollback what they notice of the deploy, in the same words but for numbers. */
function isSameInReverse(
  back: readonly RehearsalFinding[],
  there: readonly RehearsalFinding[],
): boolean {
  const keysOf = (all: readonly RehearsalFinding[]) =>
    all
      .map(({ kind, stack, text }) =>
        JSON.stringify([kind, stack, text.replaceAll(/\d[\d.:/]*/g, '')]),
      )
      .sort();
  return back.length > 0 && keysOf(back).join() === keysOf(there).join();
}

function rehearsed({ trees, startedAt, network }: RehearsalReport): string[] {
  const time = startedAt.replace('T', ' ').replace(/:\d+(?:\.\d+)?Z$/, ' UTC');
  return [`base: ${trees.base}`, `head: ${trees.head}`, `date: ${time}`, `network: ${network}`];
}

/** The meaning of the words that a report uses. */
function legend({ findings, head, rollback }: RehearsalReport): string[] {
  const of = head.timeline.steps.length;
  const kinds = new Set<string>([...findings, ...rollback.findings].map(({ kind }) => kind));
  return [
    ...(of === 0
      ? []
      : [
          `step 1/${of}: the first of ${of} changes that the cloud saw, in the order of this run; the other orders that Terraform may take are judged as well, unless something is not shown`,
        ]),
    ...Object.entries(KINDS).flatMap(([kind, words]) => (kinds.has(kind) ? words.join(': ') : [])),
  ];
}

/** The words for kinds of findings, and what they mean. */
const KINDS: Readonly<Record<RehearsalFinding['kind'], readonly [word: string, means: string]>> = {
  intent: ['intent broken', 'an intent that holds before the change does not hold at this step'],
  cut: ['cut', 'open before, and not at this step; "partly" means some clients or addresses'],
  'client-change': ['clients change', 'people must use another base URL, name, id, port or output'],
  'transient-opening': [
    'opens during the deploy',
    'open at this step, and neither before nor after the change',
  ],
  interruption: ['closed during the deploy', 'open before and after, and not at this step'],
  'not-shown': [
    'not shown',
    'it depends on rules that are in none of the trees, or on an order that is not judged',
  ],
  failure: ['failed', 'the deploy, the check, a second plan, the rollback or the destroy fails'],
};

/**
 * Writes steps as sentences: `step 4/9 security group updated: 10.0.0.0/8 can reach orders:8443 (neither before nor
 * after)`. Resources are called by their own names; what two of a kind have in common stays an address.
 *
 * @param all steps of the report
 */
export function stepTexts(all: readonly TimelineStep[]) {
  const names = resourceNames(all.map(({ resource }) => resource));
  const hasStacks = new Set(all.map(({ stack }) => stack)).size > 1;
  const nameOf = (address: string) => (names(address) === address ? address : shortName(address));
  return (
    { number, text, resource, stack, effects, refused }: TimelineStep,
    of: number,
  ): string => {
    const where = hasStacks ? `${nameOf(resource)} in ${stack}` : nameOf(resource);
    const more = [
      ...(refused === undefined ? [] : [`refused by the cloud: ${refused}`]),
      ...effects.map((effect) => effect.text),
    ];
    return `step ${number}/${of} ${text} (${where})${more.length === 0 ? '' : `: ${more.join('; ')}`}`;
  };
}

function findings(title: string, all: readonly RehearsalFinding[]): Section {
  return {
    title,
    columns: ['kind', 'what', 'remedy'],
    rows: all.map(({ kind, text, remedy = '' }) => [KINDS[kind][0], text, remedy]),
  };
}

/** One line for each thing that had to work. */
function endings({ base, head, rollback, destroy }: RehearsalReport): string[] {
  const left = `; it leaves ${destroy.left.join(', ') || 'nothing'}`;
  return [
    `base: ${ending(base)}`,
    `deploy: ${ending(head)}`,
    `rollback: ${ending(rollback)}`,
    `destroy: ${ending(destroy)}${destroy.deploy.status === 'passed' ? left : ''}`,
  ];
}

type Course = Pick<RehearsalReport['head'], 'deploy'> & Partial<RehearsalReport['head']>;

function ending({ deploy: { status }, check, replan }: Course): string {
  if (status === 'skipped') return 'not tried';
  // A finding has the errors.
  if (status !== 'passed') return status;
  const links = check?.links ?? [];
  const bad = links.filter(({ seen }) => seen !== 'reachable');
  const checked =
    bad.length === 0
      ? `; the check passes (${counted(links.length, 'link')})`
      : `; the check fails: ${bad.map((link) => `${link.name} ${link.seen}`).join(', ')}`;
  const planned =
    replan?.status === 'failed'
      ? `; a second plan is not empty: ${replan.changes.join(', ')}`
      : '; a second plan is empty';
  return `works${links.length > 0 ? checked : ''}${replan === undefined ? '' : planned}`;
}

import { counted } from '../../lists/counted.js';
import { listOf as list, type ReportDocument, type Section } from '../../report/document.js';
import { documentAsMarkdown } from '../../report/markdown.js';
import { documentAsText } from '../../report/text.js';
import type { RehearsalFinding, RehearsalReport, TimelineStep } from '../report-schema.js';
import { splitFindings } from './headline.js';
import { foldRows } from './port-rows.js';

/** Begins every comment, so that the next one finds and replaces it. */
const COMMENT_MARK = '<!-- secure-connectivity rehearsal -->';

/** The whole report for a terminal. @param width of it. @default - lines are not wrapped */
export function textReport(report: RehearsalReport, width?: number): string {
  return documentAsText(toDocument(report), { width });
}

/** The report as a comment that fits in a pull request. */
export function markdownReport(report: RehearsalReport): string {
  return documentAsMarkdown(toDocument(report));
}

function toDocument(report: RehearsalReport): ReportDocument {
  const { summary: headline } = report;
  return { headline, tone: toneOf(report), sections: makeSections(report), mark: COMMENT_MARK };
}

/** The severity of what was found. */
export function toneOf({ outcome }: RehearsalReport): ReportDocument['tone'] {
  return outcome === 'clean' ? 'passed' : outcome === 'noticed' ? 'warned' : 'failed';
}

/** The parts of a report that have something to say; what the headline says they do not repeat. */
function makeSections(report: RehearsalReport): Section[] {
  const { head, rollback, replaced, notes } = report;
  const stacks = new Set([...head.timeline.steps, ...rollback.timeline.steps].map((s) => s.stack));
  const steps = (all: readonly TimelineStep[]) =>
    all.map((step) => stepText(step, all.length, stacks.size > 1));
  const { first, others } = splitFindings(report);
  return [
    list('Remedy', first?.remedy === undefined ? [] : [first.remedy]),
    findings('What else clients notice', others),
    list('Rehearsed', rehearsed(report)),
    list('Step by step', steps(head.timeline.steps)),
    list('Checks', endings(report)),
    findings('What the rollback costs', foldRows(rollback.findings)),
    list('Rollback, step by step', steps(rollback.timeline.steps)),
    list(
      'Replaced',
      replaced.map(({ stack, resource }) => `${resource} (${stack})`),
    ),
    list('Notes', notes),
    list('Legend', legend(report)),
  ].filter(({ rows }) => rows.length > 0);
}

export function rehearsed({ trees, startedAt, network }: RehearsalReport): string[] {
  const time = startedAt.replace('T', ' ').replace(/:\d+(?:\.\d+)?Z$/, ' UTC');
  return [`base: ${trees.base}`, `head: ${trees.head}`, `date: ${time}`, `network: ${network}`];
}

/** The meaning of the words that a report uses. */
export function legend({ findings, head, rollback }: RehearsalReport): string[] {
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

/** `step 4/9 security group updated: 10.0.0.0/8 can reach orders:8443 (neither before nor after)`. */
export function stepText(step: TimelineStep, of: number, hasStacks: boolean): string {
  const { number, text, resource, stack, effects, refused } = step;
  const where = hasStacks ? `${resource} in ${stack}` : resource;
  const more = [
    ...(refused === undefined ? [] : [`refused by the cloud: ${refused}`]),
    ...effects.map((effect) => effect.text),
  ];
  return `step ${number}/${of} ${text}${more.length === 0 ? '' : `: ${more.join('; ')}`} (${where})`;
}

function findings(title: string, all: readonly RehearsalFinding[]): Section {
  return {
    title,
    columns: ['kind', 'what', 'remedy'],
    rows: all.map(({ kind, text, remedy = '' }) => [KINDS[kind][0], text, remedy]),
  };
}

/** One line for each thing that had to work. */
export function endings({ base, head, rollback, destroy }: RehearsalReport): string[] {
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

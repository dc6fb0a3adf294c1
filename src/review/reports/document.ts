import type { ResourceNames } from '../../reach/reports/names.js';
import type {
  Figure,
  Place,
  ReportDocument,
  Result,
  Results,
  RuleFacts,
} from '../../report/document.js';
import { junitParts } from '../../report/junit.js';
import { documentAsMarkdown } from '../../report/markdown.js';
import { sarifParts } from '../../report/sarif.js';
import { documentAsText, type Paint } from '../../report/text.js';
import { describeFinding, explainFinding } from '../decision/summary.js';
import type { Decision, Finding, FindingKind, ReviewReport } from '../report-schema.js';
import { makeSections } from './sections.js';
import { findSetting, type SettingsFile } from './setting-line.js';

/** Begins every comment, so that the next one finds and replaces it. */
export const COMMENT_MARK = '<!-- secure-connectivity review -->';

const TONES = {
  forbidden: 'failed',
  'needs-approval': 'warned',
  narrower: 'passed',
  'no-change': 'passed',
} as const satisfies Record<Decision, ReportDocument['tone']>;

/**
 * Makes the document of a review.
 *
 * @param figures drawings of the change
 * @param names of resources. @default - their own, where no two are called alike
 */
export function reviewDocument(
  report: ReviewReport,
  figures: readonly Figure[] = [],
  names?: ResourceNames,
): ReportDocument {
  const { summary: headline, decision } = report;
  const tone = TONES[decision];
  return { headline, tone, sections: makeSections(report, names), figures, mark: COMMENT_MARK };
}

/** Makes the results of a review, one for each finding. @param settings that made the stacks of the head */
export function reviewResults(
  { findings, digests, summary, decision }: ReviewReport,
  settings: readonly SettingsFile[] = [],
): Results {
  return {
    command: 'secure-connectivity review',
    summary,
    stacks: [...new Set([...digests, ...findings].map(({ stack }) => stack))].sort(),
    results: findings.map((finding) => toResult(finding, settings)),
    describeKind: (kind) => KINDS[kind as FindingKind],
    roots: {
      HEAD: 'The folder given as --head.',
      ...(settings.length > 0 && { SETTINGS: 'The folder that the review ran in.' }),
    },
    properties: { decision, summary },
  };
}

function toResult(finding: Finding, settings: readonly SettingsFile[]): Result {
  const { stack, kind, code, decision, resource, identity } = finding;
  return {
    ...{ stack, kind, code, resource, identity },
    level: LEVELS[decision],
    name: () => describeFinding(finding),
    text: () => explainFinding(finding),
    place: findSetting(finding, settings) ?? findFile(finding),
    properties: finding,
  };
}

const LEVELS = {
  forbidden: 'error',
  'needs-approval': 'warning',
  narrower: 'note',
  'no-change': 'none',
} as const satisfies Record<Decision, Result['level']>;

/** The file that Terraform reads the resource from; GitHub shows no result without a line. */
function findFile({ stack, resource }: Finding): Place {
  const isFile = resource === 'access.json' || /\.tf(?:\.json)?$/.test(resource);
  const path = ['stacks', stack, ...(isFile ? resource.split('/') : ['cdk.tf.json'])];
  return { root: 'HEAD', path, line: 1 };
}

const KINDS = Object.fromEntries(
  Object.entries({
    access: 'Access that the change opens or closes',
    destination: 'Traffic goes elsewhere',
    safeguard: 'A safeguard of access or availability changes',
    disruption: 'A resource is removed, replaced or changed so that clients notice',
    control: 'Something else controls the deploy',
    unread: 'A change that the review cannot read',
    policy: 'Against the policy',
    drift: 'The cloud differs from the last deploy',
    disagreement: 'Terraform and access.json differ',
  } satisfies Record<FindingKind, string>).map(([kind, title]) => [
    kind,
    { title, cause: '', remedy: 'Approve the change only if it is intended.' },
  ]),
) as Readonly<Record<FindingKind, RuleFacts>>;

/** Writes the report for a terminal of 100 columns. @param paint colours it. @default - plain text */
export function textReport(report: ReviewReport, paint?: Paint): string {
  return documentAsText(reviewDocument(report), { width: 100, paint });
}

/**
 * Writes the report as a comment that fits in a pull request.
 *
 * @param diagram Mermaid, folded below the tables; a function draws it only if there may be room
 */
export function markdownReport(report: ReviewReport, diagram?: string | (() => string)): string {
  const mermaid = typeof diagram === 'string' ? () => diagram : diagram;
  const figure = mermaid && { mermaid, svg: () => '', page: () => ({ markup: '', style: '' }) };
  return documentAsMarkdown(reviewDocument(report, figure && [figure]));
}

/** Writes the report as JUnit XML: a suite for each stack, a case for each finding. */
export function junitReport(report: ReviewReport): string {
  return [...junitParts(reviewResults(report))].join('');
}

/** Writes the report as SARIF 2.1.0. */
export function sarifReport(report: ReviewReport): string {
  return [...sarifParts(reviewResults(report))].join('');
}

import { sectionsAsMarkdown } from '../../review/reports/markdown.js';
import { sectionsAsText } from '../../review/reports/text.js';
import type { RehearsalReport } from '../report-schema.js';
import { sectionsOf } from './sections.js';

/** Begins every comment, so that the next one finds and replaces it. */
const COMMENT_MARK = '<!-- secure-connectivity rehearsal -->';

/** The whole report for a terminal. */
export function textReport(report: RehearsalReport): string {
  return sectionsAsText(report.summary, sectionsOf(report));
}

/** The report as a comment that fits in a pull request. */
export function markdownReport(report: RehearsalReport): string {
  const { summary } = report;
  const sections = sectionsOf(report);
  const least = sections.filter(({ columns }) => columns.length > 0);
  return sectionsAsMarkdown(COMMENT_MARK, { summary, sections, least });
}

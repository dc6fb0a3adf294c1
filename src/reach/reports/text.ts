import { printable } from '../../files/escape.js';
import { alignColumns } from '../../lists/align-columns.js';
import type { ReachReport } from '../report-schema.js';
import { answerText, COLUMNS, placeLines, placeText, rowCells, tableText } from './words.js';

/** The report for a terminal. */
export function textReport(report: ReachReport): string {
  const lines =
    report.question === undefined
      ? [tableText(report), '', ...alignColumns([COLUMNS, ...report.rows.map(rowCells)])]
      : answerLines(report.question);
  const unread = report.unread.map((part) => `not read: ${part}`);
  return `${[...lines, ...unread].map(printable).join('\n')}\n`;
}

function answerLines(question: NonNullable<ReachReport['question']>): string[] {
  return [
    answerText(question),
    ...question.places.flatMap((place) => [
      `  ${placeText(place, question.places)}`,
      ...placeLines(place).map((line, i) => `    ${i + 1}. ${line}`),
    ]),
  ];
}

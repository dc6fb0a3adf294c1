import type { ReachReport } from '../report-schema.js';
import { answerText, COLUMNS, placeLines, placeText, rowCells, tableText } from './words.js';

/** The report for a terminal. */
export function textReport(report: ReachReport): string {
  const lines = report.question === undefined ? tableLines(report) : answerLines(report.question);
  const unread = report.unread.map((part) => `not read: ${part}`);
  return `${[...lines, ...report.stated, ...unread].map(printable).join('\n')}\n`;
}

function answerLines(question: NonNullable<ReachReport['question']>): string[] {
  return [
    answerText(question),
    ...question.places.flatMap((place) => [
      `  ${placeText(place)}`,
      ...placeLines(place).map((line, i) => `    ${i + 1}. ${line}`),
    ]),
  ];
}

function tableLines(report: ReachReport): string[] {
  const rows = [[...COLUMNS], ...report.rows.map(rowCells)];
  const widths = COLUMNS.map((_, i) =>
    rows.reduce((w, row) => Math.max(w, row[i]?.length ?? 0), 0),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, i) => cell.padEnd(i === row.length - 1 ? 0 : (widths[i] ?? 0))).join('  ');
  return [tableText(report), '', ...rows.map((row) => line(row).trimEnd())];
}

/** No text of a tree may move the cursor or add a line. */
function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
}

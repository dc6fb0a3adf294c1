import type { ReachReport } from '../report-schema.js';
import { answerText, COLUMNS, placeLines, placeText, rowCells, tableText } from './words.js';

/** The report for a pull request or a ticket. */
export function markdownReport(report: ReachReport): string {
  const { question, stated, unread } = report;
  const lines =
    question === undefined
      ? [
          tableText(report),
          '',
          row(COLUMNS),
          row(COLUMNS.map(() => '---')),
          ...report.rows.map((one) => row(rowCells(one).map(markdownCell))),
        ]
      : [
          `**${inert(answerText(question))}**`,
          ...question.places.flatMap((place) => [
            '',
            `- ${inert(placeText(place))}`,
            ...placeLines(place).map((line, i) => `  ${i + 1}. ${inert(line)}`),
          ]),
        ];
  const more = [...stated, ...unread.map((part) => `Not read: ${part}`)];
  return `${[...lines, ...more.map((line) => `\n${inert(line)}`)].join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A cell that shows its text and is no markup, mention or reference. */
export function markdownCell(text: string): string {
  return text === '' ? '' : inert(text);
}

function inert(text: string): string {
  const plain = text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .replaceAll('`', "'")
    .replaceAll('|', '¦');
  return `\`${plain.trim()}\``;
}

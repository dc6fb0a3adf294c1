import { inertMarkdown, markdownTable } from '../../files/markdown.js';
import type { ReachReport } from '../report-schema.js';
import { answerText, COLUMNS, placeLines, placeText, tableCells, tableText } from './text.js';

/** The report for a pull request or a ticket. */
export function markdownReport(report: ReachReport): string {
  const { question, unread } = report;
  const lines =
    question === undefined
      ? [tableText(report), '', ...markdownTable(COLUMNS, tableCells(report.rows))]
      : [
          `**${inertMarkdown(answerText(question))}**`,
          ...question.places.flatMap((place) => [
            '',
            `- ${inertMarkdown(placeText(place, question.places))}`,
            ...placeLines(place).map((line, i) => `  ${i + 1}. ${inertMarkdown(line)}`),
          ]),
        ];
  const more = unread.map((part) => `Not read: ${part}`);
  return `${[...lines, ...more.map((line) => `\n${inertMarkdown(line)}`)].join('\n')}\n`;
}

import { printable } from '../files/escape.js';
import type { Fact, Problem, Section, Tone } from './document.js';
import { hanging } from './wrap.js';

/** Colours a part of a text, or leaves it plain. */
export type Paint = (style: 'bold' | 'red' | 'yellow' | 'green', text: string) => string;

/** The layout of a text. */
export interface Layout {
  readonly width: number;
  readonly paint: Paint;
  readonly isVerbose: boolean;
}

export const COLOURS: Readonly<Record<Tone, Parameters<Paint>[0]>> = {
  failed: 'red',
  warned: 'yellow',
  passed: 'green',
  skipped: 'bold',
};

/** Short names stand in a column. */
const NAME_CELLS = 7;

/** Writes a remark behind its name. */
export function factLine([label, text, tone]: Fact, { width, paint }: Layout): string {
  const name = printable(label);
  const end = name.length > NAME_CELLS ? ': ' : ' '.repeat(NAME_CELLS + 2 - name.length);
  const shown = tone === undefined ? name : paint(COLOURS[tone], name);
  return hanging(`  ${name}${end}`, printable(text), width, `  ${shown}${end}`);
}

const WORDS = { failed: 'also possible', warned: 'warned', skipped: 'also possible' } as const;

/** Writes no more than what a problem is. */
export function problemLine({ tone, title, code }: Problem, layout: Layout): string {
  return factLine([WORDS[tone], `${title} (${code})`], layout);
}

/** Writes all of a problem. */
export function* problemLines(problem: Problem, { width, paint }: Layout): Generator<string> {
  const { tone, code, title, at, cause, evidence, remedy, inspect } = problem;
  const place = `  ${tone} at `;
  if (at !== undefined)
    yield hanging(place, printable(at), width, `  ${paint(COLOURS[tone], tone)} at `);
  const name = printable(code);
  yield hanging(`  ${name}: `, printable(title), width, `  ${paint(COLOURS[tone], name)}: `);
  for (const [label, text] of Object.entries({ cause, because: evidence, remedy, inspect })) {
    if (text) yield hanging(`    ${label.padEnd(NAME_CELLS)} `, printable(text), width);
  }
}

/** Writes rows whose last cell takes what is left of the line. */
export function statusLines({ rows, columns }: Section, { width, paint }: Layout): string[] {
  const all = [...rows].map((row) => row.map(printable));
  const widths = columns.map((_, i) =>
    Math.max(i === 0 ? NAME_CELLS : 0, ...all.map((row) => row[i]?.length ?? 0)),
  );
  const isTime = (i: number) => columns[i] === 'time';
  return all.map((row) => {
    const pad = (cell: string, i: number) =>
      isTime(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
    const [status = '', ...cells] = row.slice(0, -1).map(pad);
    const rest = cells.map((cell) => `  ${cell}`).join('');
    const colour = COLOURS[(row[0] ?? '') as Tone];
    const shown = colour === undefined ? status : paint(colour, status);
    return hanging(`  ${status}${rest}  `, row.at(-1) ?? '', width, `  ${shown}${rest}  `);
  });
}

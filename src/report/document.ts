/** The severity of a result or a row: by it a writer chooses colour, sign and place. */
export type Tone = 'passed' | 'warned' | 'failed' | 'skipped';

/** The content of a report; a file of this folder for each format writes it. */
export interface ReportDocument {
  /** The verdict and why, in words: the first line of every format. */
  readonly headline: string;
  readonly tone: Tone;
  /** Said before the headline: what the report is of. @default - nothing */
  readonly title?: string | undefined;
  /** Numbers and circumstances, beside the headline or after everything. @default - none */
  readonly facts?: readonly Fact[];
  readonly sections: readonly Section[];
  /** Shown above the sections, or folded below them where a format has text alone. @default - none */
  readonly figures?: readonly Figure[];
  /** The line by which the next comment finds this one. @default - none */
  readonly mark?: string;
}

/** A part of a report: a table, or sentences. Writers differ only in how they print it. */
export interface Section {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Rows;
  /** Rows are steps: their order matters. */
  readonly isOrdered?: true;
  /** The totals of the rows, if there are too many to print. */
  readonly totals?: readonly string[];
  /** Before the figures: what to do next. */
  readonly isFirst?: true;
  /** Below a fold: nobody's next action depends on it. */
  readonly isFolded?: true;
  /** Part of the answer that the headline gives: a table as it is, or a line with its reasons below it. */
  readonly isAnswer?: true;
  /** The outcome of the thing that the section is about; its rows may begin with a status each. @default - it is about none */
  readonly tone?: Tone;
  /** The place and kind of that thing, beside its title. */
  readonly about?: string;
  /** The likeliest first. */
  readonly problems?: readonly Problem[];
  /** Above the rows. */
  readonly facts?: readonly Fact[];
  /** Below the rows. */
  readonly more?: readonly Fact[];
  /** Markup for a page, which alone has room for a drawing and all evidence. */
  readonly page?: () => string;
}

/** A kind of remark, such as `note`, and its text. */
export type Fact = readonly [name: string, text: string, tone?: Tone];

/** Something to act on; `skipped` where nothing shows that it is so. */
export interface Problem {
  readonly tone: Exclude<Tone, 'passed'>;
  readonly code: string;
  readonly title: string;
  /** The places of it: a stage, addresses. */
  readonly at?: string | undefined;
  readonly cause?: string | undefined;
  readonly evidence?: string | undefined;
  readonly remedy: string;
  readonly inspect?: string | undefined;
}

/** The column of a table that has a tone in each cell. */
export const STATUS = 'status';

/** Rows of cells. */
export interface Rows extends Iterable<readonly string[]> {
  readonly length: number;
}

/** A drawing, as each kind of writer can show it; made when it is asked for. */
export interface Figure {
  readonly mermaid: () => string;
  /** A file of its own. */
  readonly svg: () => string;
  /** Markup for a page, with a sentence for each line that is drawn, and its styles. */
  readonly page: () => { readonly markup: string; readonly style: string };
}

/** A result of a check, as CI systems list them. There can be thousands: texts are made when they are written. */
export interface Result {
  readonly stack: string;
  readonly kind: string;
  readonly code?: string | undefined;
  readonly level: 'error' | 'warning' | 'note' | 'none';
  /** In one line. */
  readonly name: () => string;
  /** Everything, a line each. */
  readonly text: () => string;
  readonly resource: string;
  readonly place: Place;
  /** The parts that say what it is about, however it is worded. */
  readonly identity: readonly string[];
  readonly properties: object;
}

/** A test suite, as CI systems list them. */
export interface Suite {
  readonly name: string;
  /** @default - not measured */
  readonly measured?: { readonly ms: number; readonly startedAt: string };
  readonly properties?: Readonly<Record<string, string | number>>;
  readonly cases: readonly Case[];
  /** The text that belongs to all cases. */
  readonly text?: string;
}

/** A test case of a suite. */
export interface Case {
  readonly of: string;
  readonly name: string;
  readonly ms?: number;
  /** `error`: the test could not be made. */
  readonly outcome: 'passed' | 'skipped' | 'failure' | 'error';
  /** The code and title of what failed. */
  readonly failure?: { readonly type: string; readonly message: string };
  readonly text: () => string;
}

/** The results of a command. */
export interface Results {
  /** `secure-connectivity review`. */
  readonly command: string;
  readonly summary: string;
  /** Every stack that was looked at, those without results too. */
  readonly stacks: readonly string[];
  readonly results: readonly Result[];
  /** Describes results of a kind that have no code. */
  readonly describeKind: (kind: string) => RuleFacts;
  /** The folders that paths of files begin at, in words. */
  readonly roots: Readonly<Record<string, string>>;
  readonly properties: object;
}

/** The line of a file in which a result is. */
export interface Place {
  /** One of the roots of the results. */
  readonly root: string;
  readonly path: readonly string[];
  readonly line: number;
}

export interface RuleFacts {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The cells of a row, by the titles of their columns. */
export type Columns<T> = Readonly<Record<string, (row: T, hasStacks: boolean) => string>>;

/** Makes a section of a table, whose texts are made as they are read. @param hasStacks rows are of several stacks, and say of which */
export function tableOf<T>(
  title: string,
  rows: readonly T[],
  columns: Columns<T>,
  hasStacks = false,
): Section {
  const cells = Object.values(columns);
  const texts = function* () {
    for (const row of rows) yield cells.map((toText) => toText(row, hasStacks));
  };
  const { length } = rows;
  return { title, columns: Object.keys(columns), rows: { length, [Symbol.iterator]: texts } };
}

/** Makes a section of sentences. */
export function listOf(title: string, sentences: readonly string[]): Section {
  return { title, columns: [], rows: sentences.map((one) => [one]) };
}

/** Writes milliseconds as people read them: `0.4 ms`, `48 ms`, `10.3 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

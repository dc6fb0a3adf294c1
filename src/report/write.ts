import { jsonParts } from '../files/text-parts.js';
import type { Figure, ReportDocument, Results } from './document.js';
import type { TextOptions } from './text.js';

/** The content of a report, made when a format asks for it. */
export interface Reported {
  readonly document: () => Promise<ReportDocument>;
  readonly text: TextOptions;
  /** The machine's view. */
  readonly data: object;
}

/** The same of a command that lists results too. */
interface Checked extends Reported {
  readonly results: () => Promise<Results>;
}

type Writer<Given extends Reported> = (reported: Given) => Promise<string | Iterable<string>>;
type DocumentFormat = 'text' | 'markdown' | 'html' | 'json';
type Drawing = 'mermaid' | 'svg';

/** Each format in a module of its own, for a command needs one or two of them. */
export const DOCUMENT_WRITERS: Readonly<Record<DocumentFormat, Writer<Reported>>> = {
  text: async ({ document, text }) => (await import('./text.js')).textParts(await document(), text),
  markdown: async ({ document }) =>
    (await import('./markdown.js')).documentAsMarkdown(await document()),
  html: async ({ document }) => (await import('./html.js')).documentAsPage(await document()),
  json: async ({ data }) => jsonParts(data),
};

/** The same, and drawings alone. */
export const DRAWING_WRITERS: Readonly<Record<DocumentFormat | Drawing, Writer<Reported>>> = {
  ...DOCUMENT_WRITERS,
  mermaid: async ({ document }) => figuresOf(await document()).map((one) => one.mermaid()),
  svg: async ({ document }) => figuresOf(await document()).map((one) => one.svg()),
};

function figuresOf({ figures = [] }: ReportDocument): readonly Figure[] {
  return figures;
}

export const REPORT_WRITERS: Readonly<Record<DocumentFormat | 'sarif' | 'junit', Writer<Checked>>> =
  {
    ...DOCUMENT_WRITERS,
    sarif: async ({ results }) => (await import('./sarif.js')).sarifParts(await results()),
    junit: async ({ results }) => (await import('./junit.js')).junitParts(await results()),
  };

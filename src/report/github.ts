import type { Problem, ReportDocument, Section } from './document.js';

/** The gravest first: of each kind GitHub shows only the first ten. */
const KINDS = { failed: 'error', warned: 'warning', skipped: 'notice' } as const;

/** Writes the log of a GitHub Actions step: an annotation for each problem. @param text that comes before them */
export function documentAsLog({ sections }: ReportDocument, text: string): string {
  const annotations = Object.entries(KINDS).flatMap(([tone, kind]) =>
    sections.flatMap((section) =>
      (section.problems ?? [])
        .filter((problem) => problem.tone === tone)
        .map((problem) => annotation(kind, section, problem)),
    ),
  );
  return `${text}${annotations.join('')}`;
}

function annotation(kind: string, { title: of, about }: Section, problem: Problem): string {
  const { code, title, cause, evidence, remedy, inspect } = problem;
  const lines = [
    cause,
    remedy,
    inspect && `Inspect: ${inspect}`,
    evidence && `Evidence: ${evidence}`,
    about,
  ].filter(Boolean);
  const head = escapeProperty([of, code, title].join(': '));
  return `::${kind} title=${head}::${escapeData(lines.join('\n'))}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

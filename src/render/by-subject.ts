import type { CidrOpening } from './opening.js';

/** Openings of each subject, for forms that hold a document for each. */
export function bySubject(openings: readonly CidrOpening[]): [string, CidrOpening[]][] {
  const subjects = [...new Set(openings.map(({ subject }) => subject))];
  return subjects.map((subject) => [
    subject,
    openings.filter((opening) => opening.subject === subject),
  ]);
}

import { documentAsLog } from '../../report/github.js';
import { documentAsPage } from '../../report/html.js';
import { suiteParts } from '../../report/junit.js';
import { documentAsMarkdown } from '../../report/markdown.js';
import type { Verification } from '../model/verification.js';
import { verificationDocument } from './document.js';
import { linkPage } from './link-page.js';
import { verificationSuites } from './suites.js';
import { textReport } from './text-report.js';

/** Writes the log of a GitHub Actions step: the text, and an annotation for each problem. */
export function githubReport(verification: Verification): string {
  const document = verificationDocument(verification, true);
  return documentAsLog(document, textReport(verification));
}

/** Writes a Markdown page, as for the step summary of GitHub Actions: failures come first. */
export function markdownReport(verification: Verification): string {
  return documentAsMarkdown(verificationDocument(verification, true));
}

/** Writes one page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlReport(verification: Verification): string {
  return documentAsPage(verificationDocument(verification, true, linkPage));
}

/** Writes JUnit XML: a test suite for each link, a test case for each stage and address. */
export function junitReport(verification: Verification): string {
  const suites = verificationSuites(verification);
  return [...suiteParts('secure-connectivity verify', suites, verification.elapsedMs)].join('');
}

import { documentAsText, type TextOptions } from '../../report/text.js';
import type { Verification } from '../model/verification.js';
import { verificationDocument } from './document.js';

/** Columns of a text that is not for a terminal. */
const WIDTH = 80;

/** Writes the report for people: the verdict, what failed and why, and a line for each link that passes. */
export function textReport(verification: Verification, options: TextOptions = {}): string {
  const { isVerbose = false } = options;
  const document = verificationDocument(verification, isVerbose);
  return documentAsText(document, { width: WIDTH, ...options, isVerbose });
}

import type { Verification } from '../model/verification.js';

/** The whole report; its schema is `verificationSchema`. It holds no secret. */
export function jsonReport(verification: Verification): string {
  return `${JSON.stringify(verification, undefined, 2)}\n`;
}

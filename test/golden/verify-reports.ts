import type { Verification } from '../../src/verify/model/verification.js';
import { textReport } from '../../src/verify/reports/text-report.js';
import {
  githubReport,
  htmlReport,
  junitReport,
  markdownReport,
} from '../../src/verify/reports/written.js';
import {
  CLOSED,
  CONNECTED,
  HEALTHY,
  MIXED,
  OPEN,
  REJECTED,
  SICK,
} from '../verify/reports/samples.js';

/** A check in which each kind of thing passes and fails. */
const SAMPLE: Verification = {
  ...MIXED,
  title: 'connectivity check of api-access-production',
  connections: [CONNECTED, REJECTED],
  backends: [HEALTHY, SICK],
  expectedClosed: [CLOSED, OPEN],
};

/** The reports of the check, by their files in `test/golden/verify`. */
export function verifyReports(): Readonly<Record<string, string>> {
  return {
    'text.txt': textReport(SAMPLE),
    'verbose.txt': textReport(SAMPLE, { isVerbose: true }),
    'github.txt': githubReport(SAMPLE),
    'markdown.md': markdownReport(SAMPLE),
    'junit.xml': junitReport(SAMPLE),
    'page.html.txt': htmlReport(SAMPLE),
  };
}

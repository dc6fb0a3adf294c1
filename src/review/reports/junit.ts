import { escapeXml, xmlAttributes } from '../../files/escape.js';
import { describeFinding, explainFinding } from '../decision/summary.js';
import type { Finding, ReviewReport } from '../report-schema.js';

/** A test suite for each stack, a test case for each finding: what needs approval fails. */
export function junitReport(report: ReviewReport): string {
  return [...junitParts(report)].join('');
}

/** The same line by line. */
export function* junitParts({ findings, digests, summary }: ReviewReport): Generator<string> {
  const stacks = [...new Set([...digests, ...findings].map(({ stack }) => stack))].sort();
  const suites = stacks.map((stack) => {
    const own = findings.filter((finding) => finding.stack === stack);
    return { stack, own, tests: own.length || 1, failures: own.filter(isFailure).length };
  });
  const sum = (name: 'tests' | 'failures') => suites.reduce((total, one) => total + one[name], 0);
  const all = { tests: sum('tests'), failures: sum('failures'), errors: 0 };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${xmlAttributes({ name: 'secure-connectivity review', ...all })}>\n`;
  for (const { stack, own, tests, failures } of suites) {
    yield `  <testsuite${xmlAttributes({ name: stack, tests, failures, errors: 0 })}>\n`;
    // A stack without findings has one case, which passes.
    if (own.length === 0) {
      yield `    <testcase${xmlAttributes({ classname: stack, name: 'no change' })}/>\n`;
    }
    for (const finding of own) yield `${testcase(finding)}\n`;
    yield `    <system-out>${escapeXml(summary)}</system-out>\n  </testsuite>\n`;
  }
  yield '</testsuites>\n';
}

function testcase(finding: Finding): string {
  const { stack, kind, code, decision } = finding;
  const name = describeFinding(finding);
  const text = escapeXml(explainFinding(finding));
  const head = xmlAttributes({ classname: `${stack}.${kind}`, name });
  if (!isFailure(finding)) {
    return `    <testcase${head}><system-out>${text}</system-out></testcase>`;
  }
  const message = decision === 'forbidden' ? `forbidden: ${name}` : `needs approval: ${name}`;
  const attributes = xmlAttributes({ type: code ?? kind, message });
  return `    <testcase${head}><failure${attributes}>${text}</failure></testcase>`;
}

function isFailure({ decision }: Finding): boolean {
  return decision === 'forbidden' || decision === 'needs-approval';
}

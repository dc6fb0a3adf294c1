import { escapeXml, xmlAttributes } from '../../files/escape.js';
import { describeFinding, explainFinding } from '../decision/summary.js';
import type { Finding, ReviewReport } from '../report-schema.js';

/** A test suite for each stack, a test case for each finding: what needs approval fails. */
export function junitReport({ findings, digests, summary }: ReviewReport): string {
  const stacks = [...new Set([...digests, ...findings].map(({ stack }) => stack))].sort();
  const suites = stacks.map((stack) => {
    const own = findings.filter((finding) => finding.stack === stack);
    return { stack, own, tests: own.length || 1, failures: own.filter(isFailure).length };
  });
  const sum = (name: 'tests' | 'failures') => suites.reduce((total, one) => total + one[name], 0);
  const all = { tests: sum('tests'), failures: sum('failures'), errors: 0 };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name: 'secure-connectivity review', ...all })}>`,
    ...suites.flatMap(({ stack, own, tests, failures }) => [
      `  <testsuite${xmlAttributes({ name: stack, tests, failures, errors: 0 })}>`,
      // A stack without findings has one case, which passes.
      ...(own.length === 0
        ? [`    <testcase${xmlAttributes({ classname: stack, name: 'no change' })}/>`]
        : own.map(testcase)),
      `    <system-out>${escapeXml(summary)}</system-out>`,
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
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

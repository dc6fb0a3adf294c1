import { escapeXml, xmlAttributes } from '../../files/escape.js';
import type { Finding, ReviewReport } from '../report-schema.js';
import { describeFinding, explainFinding } from '../summary.js';

/** A test suite for each stack, a test case for each finding: what needs approval fails. */
export function junitReport({ findings, digests, summary }: ReviewReport): string {
  const stacks = [...new Set([...digests, ...findings].map(({ stack }) => stack))].sort();
  const head = xmlAttributes({ name: 'secure-connectivity review', ...counts(findings, stacks) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...stacks.map((stack) =>
      suite(
        stack,
        findings.filter((finding) => finding.stack === stack),
        summary,
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(stack: string, findings: readonly Finding[], summary: string): string {
  const head = xmlAttributes({ name: stack, ...counts(findings, [stack]) });
  const unchanged = `    <testcase${xmlAttributes({ classname: stack, name: 'no change' })}/>`;
  return [
    `  <testsuite${head}>`,
    ...(findings.length === 0 ? [unchanged] : findings.map(testcase)),
    `    <system-out>${escapeXml(summary)}</system-out>`,
    '  </testsuite>',
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

/** A stack without findings has one case, which passes. */
function counts(findings: readonly Finding[], stacks: readonly string[]) {
  const changed = new Set(findings.map(({ stack }) => stack));
  const unchanged = stacks.filter((stack) => !changed.has(stack)).length;
  return {
    tests: findings.length + unchanged,
    failures: findings.filter(isFailure).length,
    errors: 0,
  };
}

import { escapeXml, xmlAttributes } from '../files/escape.js';
import type { Result, Results } from './document.js';

/** A test suite for each stack, a test case for each result, line by line: what somebody has to act on fails. */
export function* junitParts({ command, stacks, results, summary }: Results): Generator<string> {
  const suites = stacks.map((stack) => {
    const own = results.filter((result) => result.stack === stack);
    return { stack, own, tests: own.length || 1, failures: own.filter(isFailure).length };
  });
  const sum = (name: 'tests' | 'failures') => suites.reduce((total, one) => total + one[name], 0);
  const all = { tests: sum('tests'), failures: sum('failures'), errors: 0 };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${xmlAttributes({ name: command, ...all })}>\n`;
  for (const { stack, own, tests, failures } of suites) {
    yield `  <testsuite${xmlAttributes({ name: stack, tests, failures, errors: 0 })}>\n`;
    // A stack without results has one case, which passes.
    if (own.length === 0) {
      yield `    <testcase${xmlAttributes({ classname: stack, name: 'no change' })}/>\n`;
    }
    for (const result of own) yield `${testcase(result)}\n`;
    yield `    <system-out>${escapeXml(summary)}</system-out>\n  </testsuite>\n`;
  }
  yield '</testsuites>\n';
}

function testcase(result: Result): string {
  const { stack, kind, code = kind, level } = result;
  const name = result.name();
  const text = escapeXml(result.text());
  const head = xmlAttributes({ classname: `${stack}.${kind}`, name });
  if (!isFailure(result)) {
    return `    <testcase${head}><system-out>${text}</system-out></testcase>`;
  }
  const message = level === 'error' ? `forbidden: ${name}` : `needs approval: ${name}`;
  const attributes = xmlAttributes({ type: code, message });
  return `    <testcase${head}><failure${attributes}>${text}</failure></testcase>`;
}

function isFailure({ level }: Result): boolean {
  return level === 'error' || level === 'warning';
}

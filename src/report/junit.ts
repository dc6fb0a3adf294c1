import { escapeXml, xmlAttributes } from '../files/escape.js';
import type { Case, Result, Results, Suite } from './document.js';

/** A test suite for each stack, a test case for each result: what somebody has to act on fails. */
export function junitParts({ command, stacks, results, summary }: Results): Generator<string> {
  const suites = stacks.map((stack): Suite => {
    const own = results.filter((result) => result.stack === stack);
    // A stack without results has one case, which passes.
    const nothing: Case = { of: stack, name: 'no change', outcome: 'passed', text: () => '' };
    return { name: stack, cases: own.length === 0 ? [nothing] : own.map(toCase), text: summary };
  });
  return suiteParts(command, suites);
}

function toCase({ stack, kind, code = kind, level, name, text }: Result): Case {
  const [title, of] = [name(), `${stack}.${kind}`];
  if (level !== 'error' && level !== 'warning') return { of, name: title, outcome: 'passed', text };
  const message = level === 'error' ? `forbidden: ${title}` : `needs approval: ${title}`;
  return { of, name: title, outcome: 'failure', failure: { type: code, message }, text };
}

/** Writes test suites line by line. @param ms how long all of it took. @default - not measured */
export function* suiteParts(name: string, suites: readonly Suite[], ms?: number) {
  const { tests, failures, errors } = counts(suites.flatMap(({ cases }) => cases));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  // The format has no further attribute for the whole.
  yield `<testsuites${xmlAttributes({ name, tests, failures, errors, ...time(ms) })}>\n`;
  for (const suite of suites) {
    const { skipped, ...numbers } = counts(suite.cases);
    const { measured, properties = {}, text } = suite;
    const more = measured && { skipped, ...time(measured.ms), timestamp: measured.startedAt };
    yield `  <testsuite${xmlAttributes({ name: suite.name, ...numbers, ...more })}>\n`;
    const lines = Object.entries(properties).map(
      ([key, value]) => `      <property${xmlAttributes({ name: key, value })}/>\n`,
    );
    if (lines.length > 0) yield `    <properties>\n${lines.join('')}    </properties>\n`;
    for (const one of suite.cases) yield `${testcase(one)}\n`;
    if (text !== undefined) yield `    <system-out>${escapeXml(text)}</system-out>\n`;
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

function testcase({ of, name, ms, outcome, failure, text }: Case): string {
  const said = text();
  const head = `    <testcase${xmlAttributes({ classname: of, name, ...time(ms) })}`;
  if (outcome === 'passed' && said === '') return `${head}/>`;
  const content =
    outcome === 'passed'
      ? `<system-out>${escapeXml(said)}</system-out>`
      : outcome === 'skipped'
        ? `<skipped${xmlAttributes({ message: said })}/>`
        : `<${outcome}${xmlAttributes({ ...failure })}>${escapeXml(said)}</${outcome}>`;
  return `${head}>${content}</testcase>`;
}

function counts(cases: readonly Case[]) {
  const count = (outcome: Case['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const [failures, errors, skipped] = [count('failure'), count('error'), count('skipped')];
  return { tests: cases.length, failures, errors, skipped };
}

/** Readers of the format take three decimals of a second and no more. */
function time(ms: number | undefined): { readonly time?: string } {
  return ms === undefined ? {} : { time: (ms / 1000).toFixed(3) };
}

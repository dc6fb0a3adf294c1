import { ConnectivityError } from '../codes/connectivity-error.js';

/**
 * Refuses a text whose lines are not those that would be written for what was read in it. Blank
 * lines and comments of their own line do not count.
 *
 * @throws ConnectivityError `render.unreadable` with the number of the first line that differs
 */
export function requireSameLines(target: string, text: string, written: string): void {
  const found = significantLines(text);
  const expected = significantLines(written);
  for (let i = 0; i < Math.max(found.length, expected.length); i += 1) {
    const [line, want] = [found[i], expected[i]];
    if (line?.text === want?.text) continue;
    throw unreadable(target, line?.number, line?.text ?? 'the end of the file', want?.text);
  }
}

/** The error for a text that a target did not write. */
export function unreadable(
  target: string,
  line: number | undefined,
  got: string,
  expected?: string,
): ConnectivityError {
  const place = line === undefined ? '' : ` in line ${line}`;
  const want = expected === undefined ? '' : ` \`${expected.trim()}\``;
  return new ConnectivityError(
    'render.unreadable',
    `\`${target}\` was edited after rendering${place}${want && `: rendered as${want}`}, got: ${JSON.stringify(got.trim())}`,
  );
}

/** The value of a `# name: value` line of the header. */
export function headerValue(target: string, text: string, name: string): string {
  const prefix = `# ${name}: `;
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  const [line] = lines;
  if (line !== undefined && lines.length === 1) return line.slice(prefix.length);
  throw unreadable(target, undefined, `${lines.length} lines of the header`, prefix);
}

function significantLines(text: string): { text: string; number: number }[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line, number: index + 1 }))
    .filter(({ text: line }) => line.trim() !== '' && !/^#($| )/.test(line));
}

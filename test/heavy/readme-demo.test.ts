import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A line without what differs from run to run: times, ports, dates, key IDs and names of endpoints. */
function stable(line: string): string {
  return line
    .replace(/\bep-[\da-f]+(?:…|\.epsvc-sandbox\.cn-beijing)/, 'ep-ID')
    .replace(/\bkid \S+/, 'kid ID')
    .replace(/\d{4}-\d{2}-\d{2}/, 'DATE')
    .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:PORT')
    .replace(/\(attempt \d+\)/, '(attempt N)')
    .replace(/ +[\d.]+ m?s\b/g, ' TIME')
    .trim();
}

test('the README shows what the demo prints, line by line', { timeout: 300_000 }, () => {
  const [, block = ''] =
    /```console\n\$ npx secure-connectivity sandbox demo\n([\s\S]*?)\n```/.exec(
      readFileSync('README.md', 'utf8'),
    ) ?? [];
  const printed = execFileSync('npm', ['run', '--silent', 'demo'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  const lines = printed.split('\n').map(stable);
  expect(lines.length, printed).toBeLessThan(62);
  const shown = block.split('\n').map(stable);
  expect(shown.length).toBeGreaterThan(24);
  // Stacks that are deployed at once end in either order.
  expect(shown.filter((line) => !lines.includes(line))).toEqual([]);
});

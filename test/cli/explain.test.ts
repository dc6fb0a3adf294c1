import { expect, test } from 'vitest';
import explain from '../../src/cli/explain.js';
import { CODES, casesOf, EXIT } from '../../src/codes/codes.js';

async function printed(work: () => Promise<number>): Promise<{ exit: number; text: string }> {
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += chunk;
    return true;
  };
  try {
    return { exit: await work(), text };
  } finally {
    process.stdout.write = write;
  }
}

test('a code is explained with cause, remedy, exit and whether waiting helps', async () => {
  const { exit, text } = await printed(() => explain(['tcp.timeout']));
  expect(exit).toBe(0);
  expect(text).toMatch(/^tcp\.timeout: /);
  expect(text).toMatch(/\n {2}cause .*\n {2}remedy .*\n {2}retry +yes.*--wait.*\n {2}exit +12\n$/);
});

test('without a code all of them are listed', async () => {
  const { text } = await printed(() => explain([]));
  expect(text.trim().split('\n')).toHaveLength(Object.keys(CODES).length);
});

test('an unknown code is a wrong usage', async () => {
  await expect(explain(['no.code'])).rejects.toMatchObject({ code: 'usage.invalid' });
});

test.each([
  ['tcp.timeot', /got: "tcp\.timeot"; similar codes: `tcp\.timeout`/],
  ['TLS.Timeout', /similar codes: `tls\.timeout`/],
  ['t'.repeat(100_000), /got: "t+"$/],
  ['99999999999999999999', /got: "99999999999999999999"$/],
  ['timeout', /similar codes: `.*\.timeout`/],
  ['token.key', /similar codes: `token\.key-pair`/],
  ['quite another thing', /got: "quite another thing"$/],
])('for %s the nearest codes are named', async (text, message) => {
  await expect(explain([text])).rejects.toThrow(message);
});

test('an exit status is explained with what ends in it, and all codes that do', async () => {
  const { exit, text } = await printed(() => explain(['12']));
  expect(exit).toBe(0);
  expect(text).toMatch(/^exit status 12:\n {2}no connection opens \(stage tcp\)\n/);
  const named = [...text.matchAll(/^ {2}([a-z]+\.[a-z.-]+) /gm)].map(([, code]) => code);
  const own = Object.entries(CODES).filter(([, facts]) => facts.exit === 12);
  expect(named).toEqual(own.map(([code]) => code));
});

test('what only words of a code end with is listed with these words', async () => {
  const { text } = await printed(() => explain(['21']));
  const named = [...text.matchAll(/^ {2}([a-z]+\.[a-z.-]+(?:: \S.*?)?) {2,}/gm)].map(
    ([, one]) => one,
  );
  const own = (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((code) =>
    CODES[code].exit === EXIT.strictWarning
      ? [code]
      : casesOf(code).flatMap(({ seen, exit }) =>
          exit === EXIT.strictWarning ? `${code}: ${seen}` : [],
        ),
  );
  expect(named).toEqual(own);
  expect(named).toContain('tls.expired: soon');
  expect((await printed(() => explain(['tls.expired']))).text).toMatch(
    /seen +soon\n(?: {4}.*\n)* {4}exit +21\n/,
  );
});

test('every exit status of the program is explained, and no other', async () => {
  for (const status of new Set([0, ...Object.values(EXIT)])) {
    const { text } = await printed(() => explain([String(status)]));
    expect(text).toMatch(new RegExp(`^exit status ${status}:\n {2}\\S`));
  }
  await expect(explain(['99'])).rejects.toThrow(
    'must be an exit status of this program (0, 1, 2, ',
  );
});

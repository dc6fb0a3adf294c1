import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Openings that are neither a noun nor a verb: the reader learns late what the comment is about. */
const OPENING =
  /^(what|whether|who|whom|whose|which|where|when|why|how|so many|so long|as many|as much|as far|as \{@link|by which|from where|in which|until when|with what|without which|to be|of (the|an?|all|each|what|which))\b/i;

function docComments(text: string): string[] {
  return [...text.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, body = '']) =>
    body.replaceAll(/\n\s*\* ?/g, ' ').trim(),
  );
}

test('doc comments begin with what they are about: a noun, or a verb in the third person', () => {
  const wrong = readdirSync('src', { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      docComments(readFileSync(join('src', file), 'utf8'))
        .filter((comment) => OPENING.test(comment))
        .map((comment) => `${file}: ${comment}`),
    );
  expect(wrong).toEqual([]);
});

test.each([
  'What is forbidden.',
  'So many servers are named.',
  'As {@link parse}, for texts.',
])('%s would be found', (comment) => {
  expect(docComments(`/** ${comment} */`).filter((one) => OPENING.test(one))).toEqual([comment]);
});

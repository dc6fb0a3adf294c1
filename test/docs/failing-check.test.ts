import { expect, test } from 'vitest';
import { failingCheck, shapeOf, shownCheck } from '../../scripts/failing-check.js';
import { picture, pictured } from '../../scripts/picture.js';

test('the picture of the README shows what the check says now; `npm run docs` draws it anew', async () => {
  expect(shapeOf(shownCheck())).toBe(shapeOf(await failingCheck()));
});

test('a picture holds each line of its text, whatever signs are in it', () => {
  const text = '  cause <a> & "b"\n\nfailed at tcp';
  expect(pictured(picture(text, 'a "title"'))).toBe(text);
});

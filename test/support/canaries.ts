import { sign } from 'node:crypto';
import { expect, inject } from 'vitest';

const PEM = inject('foreignKey');

/** Secrets as they get into the wrong place; no check knows any of them. */
export const CANARIES = {
  PEM,
  'PEM in one line': PEM.trim().replaceAll('\n', '\\n'),
  'PEM with spaces': PEM.trim().replaceAll('\n', ' '),
  'base64 of a PEM': Buffer.from(PEM).toString('base64'),
  'base64 of a PEM, wrapped': wrapped(Buffer.from(PEM).toString('base64'), 76),
  'PEM without its labels': PEM.split('\n').slice(1, -2).join('\n'),
  JWT: signed({ alg: 'RS256', typ: 'JWT', kid: 'k' }),
  'JWT with a header over several lines': signed({ alg: 'RS256', typ: 'JWT' }, 2),
  token: 'czs_8sQ3vKx1fT5nW7zB2mJ4pL6r',
} as const;

export const PASSWORD = 'pa55-canary-word';

/** Tells that nothing of any canary is in a text, not even a piece of it. */
export function expectNoCanary(text: string): void {
  const pieces = Object.values(CANARIES).flatMap(piecesOf);
  expect(pieces.filter((piece) => text.includes(piece))).toEqual([]);
  expect(text).not.toContain(PASSWORD);
}

/** The text behind the labels: they alone are no secret. */
function piecesOf(secret: string): string[] {
  const body = secret.replaceAll(/-----[A-Z ]+-----/g, '');
  const step = 40;
  return Array.from({ length: Math.floor(body.length / step) }, (_, i) =>
    body.slice(i * step + 4, i * step + 20),
  ).filter((piece) => piece.length === 16 && !/\s|\\n/.test(piece));
}

function signed(header: object, indent?: number): string {
  const claims = { iss: 'canary', aud: 'canary.example', exp: 4_000_000_000 };
  const input = [JSON.stringify(header, undefined, indent), JSON.stringify(claims)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  return `${input}.${sign('sha256', Buffer.from(input), PEM).toString('base64url')}`;
}

function wrapped(text: string, columns: number): string {
  return (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join('\n');
}

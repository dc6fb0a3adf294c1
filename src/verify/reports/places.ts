import { firstCode, linkOf } from '../model/place-patterns.js';
import type { Verification } from '../model/verification.js';
import { hanging, type TextLook } from './text-layout.js';

/** The links from each of several places: a row of places, then one for each link. Else empty. */
export function placesTable({ links }: Pick<Verification, 'links'>): string[][] {
  const places = [...new Set(links.flatMap(({ place }) => place ?? []))];
  if (places.length < 2) return [];
  const names = [...new Set(links.map(linkOf))];
  const cell = (name: string, place: string) => {
    const link = links.find((one) => one.place === place && linkOf(one) === name);
    return link === undefined ? '' : (firstCode(link) ?? link.verdict);
  };
  return [['', ...places], ...names.map((name) => [name, ...places.map((one) => cell(name, one))])];
}

/** That table, and what the failures in it have in common. */
export function placesText(verification: Verification, { style, width }: TextLook): string[] {
  const table = placesTable(verification);
  if (table.length === 0) return [];
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((row) => row[i]?.length ?? 0)),
  );
  const rows = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const { patterns = [] } = verification;
  return [
    ...rows,
    '',
    ...patterns.map(({ text }) =>
      hanging('pattern  ', text, width, `${style('pattern', 'strong')}  `),
    ),
    ...(patterns.length > 0 ? [''] : []),
  ];
}

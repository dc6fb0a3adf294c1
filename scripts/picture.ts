const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const LINE_HEIGHT = 19;
const CHARACTER_WIDTH = 7.9;
const MARGIN = 20;

/** Colours that are legible on the picture's own dark ground, whatever the page around it has. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\$/, '#79c0ff'],
  [/^ *(failed|unreachable)\b/, '#ff7b72'],
  [/^ *passed\b/, '#7ee787'],
  [/^ *[a-z]+\.[a-z-]+: /, '#ffa657'],
  [/^ *(cause|remedy|because|inspect) /, '#e6edf3'],
];
const OTHER = '#c9d1d9';

/** A terminal's text as a picture. */
export function picture(text: string, title: string): string {
  const lines = text.split('\n');
  const width =
    Math.ceil(Math.max(...lines.map(({ length }) => length)) * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = MARGIN + (index + 0.8) * LINE_HEIGHT;
    return `<text x="${MARGIN}" y="${y.toFixed(1)}" fill="${colourOf(line)}" xml:space="preserve">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="${FONT}" font-size="13">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

/** The text of a picture's lines. */
export function pictured(svg: string): string {
  const lines = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, line = '']) => line);
  return lines
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function colourOf(line: string): string {
  return COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? OTHER;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

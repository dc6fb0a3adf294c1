import { readdirSync, readFileSync } from 'node:fs';

/** Generated, with declarations and not with programs. */
const REFERENCE = 'docs/api.md';

export const PAGES = [
  'README.md',
  ...readdirSync('docs')
    .map((page) => `docs/${page}`)
    .filter((page) => page !== REFERENCE),
];

export interface Block {
  readonly page: string;
  readonly text: string;
}

/** The blocks of a language, in the order of the pages. */
export function blocksOf(language: 'ts' | 'sh' | 'hcl'): Block[] {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(block)].map(([, text = '']) => ({ page, text })),
  );
}

/** Pages that have a block of a language. */
export function pagesWith(language: 'ts' | 'sh' | 'hcl'): string[] {
  return [...new Set(blocksOf(language).map(({ page }) => page))];
}

/** All blocks of a page as one text: later ones use what earlier ones declare. */
export function pageText(language: 'ts' | 'sh' | 'hcl', page: string): string {
  return blocksOf(language)
    .filter((block) => block.page === page)
    .map(({ text }) => text)
    .join('\n');
}

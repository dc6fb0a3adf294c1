import { join } from 'node:path';
import { type ApiMember, ApiReader, type ApiSymbol } from './api-symbols.js';
import { ENTRIES } from './library.js';

/** Types of members and constants that are longer are cut. */
const MAX_LETTERS = 160;

const ABOUT: Readonly<Record<string, string>> = {
  '.': 'The constructs. `cdktf-secure-connectivity/cdktn` has the same, for cdktn.',
  service: 'The client of the service.',
  verify: 'The check, as a library.',
  link: 'What a stack passes to the check.',
  settings: 'The settings file.',
  review: 'The difference between two synthesized trees.',
  testing: 'Assertions on access rules, for your own tests.',
};

/** Every exported name of every entry point, as Markdown, made from the types that the package ships. */
export function apiReference(): string {
  const files = ENTRIES.map((entry) => join('dist', entry, 'index.d.ts'));
  const reader = new ApiReader(files);
  const shown = new Set<string>();
  const sections = ENTRIES.map((entry, index) => {
    const symbols = reader.exportsOf(files[index] ?? '').filter(({ name }) => !shown.has(name));
    for (const { name } of symbols) shown.add(name);
    return section(entry, symbols);
  });
  return [
    '# API',
    '',
    'This page lists every exported name by entry point; a name that several entry points export is under the first one. Members inherited from cdktf and constructs are left out. This page is generated.',
    '',
    ...sections.flat(),
  ].join('\n');
}

function section(entry: string, symbols: readonly ApiSymbol[]): string[] {
  const name = ['cdktf-secure-connectivity', ...(entry === '.' ? [] : [entry])].join('/');
  return [`## \`${name}\``, '', ABOUT[entry] ?? '', '', ...symbols.flatMap(symbolLines)];
}

function symbolLines({ name, kind, about, example, signatures, members }: ApiSymbol): string[] {
  return [
    `### ${name}`,
    '',
    ...(about === '' ? [] : [about, '']),
    ...(signatures.length === 0
      ? []
      : [
          '```ts',
          ...signatures.map((text) => (kind === 'constant' ? cut(text) : text)),
          '```',
          '',
        ]),
    ...(example === '' ? [] : [example, '']),
    ...(members.length === 0 ? [] : memberTable(kind, members)),
  ];
}

function memberTable(kind: ApiSymbol['kind'], members: readonly ApiMember[]): string[] {
  return [
    `| ${kind === 'class' ? 'member' : 'property'} | type | what |`,
    '| --- | --- | --- |',
    ...members.map(({ name, type, about }) => `| \`${name}\` | ${code(type)} | ${cell(about)} |`),
    '',
  ];
}

function code(type: string): string {
  return `\`${cell(cut(type))}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function cut(text: string): string {
  return text.length <= MAX_LETTERS ? text : `${text.slice(0, MAX_LETTERS)} …`;
}

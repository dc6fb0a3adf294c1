import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { ENTRIES } from './library.js';
import { withoutZod } from './types-without-zod.js';

/**
 * Writes the types of the entry points for both module forms, and again for cdktf's community
 * continuation: the files that can be reached from an entry point, and those alone.
 */
export function writeDeclarations(): void {
  const files = emit();
  const entries = ENTRIES.map((entry) => normalize(join(entry, 'index.d.ts')));
  for (const file of reached(entries, files)) {
    write(['dist', 'dist/cjs'], file, files.get(file) ?? '');
  }
  for (const file of reached(['index.d.ts'], files)) {
    const text = (files.get(file) ?? '').replace(/(from '|import\(")cdktf(?=['"])/g, '$1cdktn');
    write(['dist/cdktn', 'dist/cjs/cdktn'], file, text);
  }
}

/** The text of each file by its path below `dist`. */
function emit(): Map<string, string> {
  const { options, fileNames } = configuration();
  const program = ts.createProgram(fileNames, { ...options, emitDeclarationOnly: true });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text, _, __, sources) => {
    const [source] = sources ?? [];
    const path = file.slice(String(options.outDir).length + 1);
    files.set(path, source ? withoutZod(text, source, program.getTypeChecker()) : text);
  });
  refuse([...ts.getPreEmitDiagnostics(program), ...diagnostics]);
  return files;
}

function configuration(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile('scripts/tsconfig.build.json', ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, 'scripts');
}

function refuse(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}

function reached(entries: readonly string[], files: ReadonlyMap<string, string>): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    const text = files.get(file);
    if (text === undefined) throw new Error(`${file} is imported by types, and has none itself`);
    if (seen.has(file)) return;
    seen.add(file);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      visit(join(dirname(file), fileName.replace(/\.js$/, '.d.ts')));
    }
  };
  entries.forEach(visit);
  return seen;
}

function write(folders: readonly string[], file: string, text: string): void {
  for (const folder of folders) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

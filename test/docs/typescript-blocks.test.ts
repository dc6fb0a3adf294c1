import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { linkPackages } from '../support/linked-project.js';
import { pagesWith, pageText } from './blocks.js';

/** Declarations that a page leaves to its reader. */
const GIVEN: Readonly<Record<string, string>> = {
  'docs/ci.md': "declare const stack: import('cdktf').TerraformStack;",
  'docs/client.md':
    'declare const keyStore: { sign(input: Uint8Array, options: { signal: AbortSignal | undefined }): Promise<Uint8Array> };',
  'docs/options.md':
    "declare const request: import('node:http').IncomingMessage;\ndeclare const options: import('cdktf-secure-connectivity/service').UserIdOptions;",
};

/** Code for cdktn is the same under another name; the tests of installed projects have both. */
function onCdktf(text: string): string {
  return text.replace(/'cdktn'/, "'cdktf'");
}

/** The blocks of each page as a module of this package, which is found by its own name. */
function problems(pages: readonly string[]): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const texts = new Map(
    pages.map((page) => [
      resolve('test/docs', `${page.replaceAll('/', '-')}.ts`),
      `${GIVEN[page] ?? ''}\n${onCdktf(pageText('ts', page))}\nexport {};\n`,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    return text === undefined
      ? getSourceFile(file, version, ...rest)
      : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram([...texts.keys()], { ...options, noUnusedLocals: false }, host);
  return [...texts.keys()].flatMap((file) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ].map((one) => `${file}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`),
  );
}

test('the types of every TypeScript block of README and docs are right', () => {
  const pages = pagesWith('ts');
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/client.md']));
  expect(problems(pages)).toEqual([]);
}, 180_000);

test('the stack of the README has at most 15 lines of code, and synthesizes as it is', async () => {
  const app = pageText('ts', 'README.md');
  expect(app.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15);
  const folder = await temporaryFolder();
  linkPackages(folder);
  writeFileSync(join(folder, 'main.ts'), app);
  execFileSync('node', ['--import', 'tsx', 'main.ts'], { cwd: folder });
  const file = join(folder, 'cdktf.out/stacks/agent-service/cdk.tf.json');
  const { resource } = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(resource)).toEqual(
    expect.arrayContaining(['volcenginecc_privatelink_vpc_endpoint', 'null_resource']),
  );
}, 120_000);

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readExpressions } from '../../src/terraform/expressions.js';
import { fileWithin, readsNothing } from '../../src/terraform/functions.js';
import { Random } from '../reach/differential/random.js';
import { temporaryFolder } from '../support/cleanup.js';

const random = new Random(20_261_128);
const one = <T>(...all: readonly [T, ...T[]]): T => random.pick(all);
const gap = () => one('', '', ' ', '\n', '\t', '/**/', '/* "}) */', '# "${\n', '// (\r\n');
const digit = () => random.below(4);

/** What gives a value that no other gives: a file, a local, a variable. */
function atom(): string {
  const [a, b, c] = [gap(), gap(), gap()];
  const core = one('', `core${gap()}::${b}`);
  return one(
    `${core}file${a}(${b}"f${digit()}"${c})`,
    `file${a}("\${path${b}.module}/f${digit()}")`,
    `local${a}.${b}n${digit()}`,
    `local${a}.m[${b}"\\u006b${digit()}"${c}]`,
    `var${a}.${b}v`,
    `local${a}.l${b}.${c}0`,
  );
}

function expression(depth: number): string {
  if (depth === 0) return atom();
  const inner = () => `${gap()}${expression(depth - 1)}${gap()}`;
  return one(
    () => atom(),
    () => `"${text(depth - 1)}"`,
    () => `[<<-E\n${text(depth - 1)}\n  E\n][0]`,
    () => `trimspace${gap()}(${inner()})`,
    () => `(${inner()})`,
    () => `keys({(${inner()}) = 1})[0]`,
    () => `keys({ "${text(depth - 1)}" = "}" })[0]`,
    () => `{ b = "}", a = (${inner()}) }.a`,
    () => `[for x in [${inner()}] : x][0]`,
    () => `join("$\${local.n0}", [${inner()}, "file(n0)"])`,
  )();
}

/** A text with templates, and with what looks like them and is none. */
function text(depth: number): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () =>
    one<() => string>(
      () => one('file', ' local.n0 ', '$', '%', '{}', '$$', '(x)'),
      () => one('$${file(f0)}', '%%{ if local.n1 }', '$$${var.v}', '$%%{local.n2}'),
      () => `\${${gap()}${expression(depth)}${gap()}}`,
      () => `\${~ ${expression(depth)} ~}`,
      () => `%{ if true }${depth > 0 ? text(depth - 1) : ''}_%{ endif }`,
      () => `%{~ for x in [${expression(depth)}] }\${x}%{ endfor ~}`,
    )(),
  );
  // A sign before a template would make it another.
  return parts.join('_');
}

/** The canaries that Terraform gives for each text. */
async function evaluated(all: readonly string[]): Promise<string[][]> {
  const folder = await temporaryFolder();
  const four = [0, 1, 2, 3];
  for (const i of four) writeFileSync(join(folder, `f${i}`), `<F${i}>`);
  const locals = {
    ...Object.fromEntries(four.map((i) => [`n${i}`, `<L${i}>`])),
    m: Object.fromEntries(four.map((i) => [`k${i}`, `<M>`])),
    l: ['<l>'],
    all,
  };
  const json = { locals, variable: { v: { default: '<V>' } } };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(json));
  const input = 'base64encode(jsonencode(local.all))\n';
  const printed = execFileSync('terraform', ['console'], { cwd: folder, input, stdio: 'pipe' });
  const values: string[] = JSON.parse(String(Buffer.from(String(printed), 'base64')));
  return values.map((value) => [...new Set(value.match(/<\w+>/g))].sort());
}

function read(value: string): string[] {
  const { calls, references, unreadable } = readExpressions(value);
  const files = calls.flatMap((call) =>
    readsNothing(call) ? [] : `<F${fileWithin(call)?.at(-1)}>`,
  );
  const names = references.flatMap(({ path: [root, name = ''] }) =>
    root === 'var'
      ? '<V>'
      : root === 'local'
        ? `<${name.replace('n', 'L').replace('m', 'M')}>`
        : [],
  );
  return [...new Set([...unreadable, ...files, ...names])].sort();
}

test('finds the calls and references that Terraform evaluates, and no others, in any spelling', async () => {
  const all = Array.from({ length: 400 }, () => text(3));
  const expected = await evaluated(all);
  expect(new Set(expected.flat()).size).toBe(11);
  expect(all.map((value) => [value, read(value)])).toEqual(
    all.map((value, i) => [value, expected[i]]),
  );
});

/** A pattern or text by which something is searched within a template, or a name or function of Terraform's. */
const LOOKS_INTO =
  /\\?\$\\?\{[^/]|\[[$%]+\]\\?\{[^/]|(?:\b|\\b)(?:local|var|self|each)\\?\.|templatefile|\bfile(?:base64|exists)/;
const SEARCHES = ['indexOf', 'includes', 'startsWith', 'split', 'search', 'RegExp'];

test('nothing else in src finds functions and references: no pattern, and no search of a text', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== join('terraform', 'template.ts'))
    .flatMap((file) => {
      const text = readFileSync(join('src', file), 'utf8');
      if (!LOOKS_INTO.test(text)) return [];
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
      const searched: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) searched.push(node.text);
        const called = ts.isCallExpression(node) || ts.isNewExpression(node) ? node : undefined;
        const name = called?.expression.getText(source).split('.').at(-1) ?? '';
        for (const value of SEARCHES.includes(name) ? (called?.arguments ?? []) : []) {
          if (ts.isStringLiteralLike(value)) searched.push(value.text);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return searched.filter((one) => LOOKS_INTO.test(one)).map((one) => `${file}: ${one}`);
    });
  expect(found).toEqual([]);
});

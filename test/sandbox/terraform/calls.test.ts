import { describe, expect, test } from 'vitest';
import { findAssets } from '../../../src/sandbox/terraform/calls.js';

/** The files that an expression reads. @throws Error for what a sandbox does not take */
function filesIn(value: string): string[] {
  const block = { kind: 'output', labels: ['a'], body: { value } };
  return [...findAssets([block], (rule, got) => new Error(`${rule}, got: ${got}`)).keys()];
}

const READERS = [
  'core::file("/etc/hostname")',
  '"${"${file("/etc/hostname")}"}"',
  '"x" # }\n + file("/etc/hostname")',
  'templatefile("/a.tpl", {})',
  'templatestring(local.a, {})',
  'fileset(".", "*")',
  'abspath(".")',
  'bcrypt("a", 31)',
  'pathexpand("~")',
  'provider::evil::read("a")',
  'a_function_of_tomorrow("a")',
];

describe('in an expression', () => {
  test.each(READERS)('refuses %s', (expression) => {
    const files = () => filesIn(`\${${expression}}`);
    expect(files).toThrow(/^must call functions that read no files, .*, got: [\w:]+\(\) in output/);
  });

  test.each([
    ['a template without its end', '${1'],
    ['a text without its end', '${"a'],
    ['a comment without its end', '${1 /* x }'],
    ['an unknown escape', '${"\\$"}'],
    ['a carriage return in a comment', '${1 # \r + file("a")\n}'],
    ['a text in lines without its end', '${<<E\na\nE}'],
    ['a line end in a text', '${"a\n"}'],
    ['a mark of another language', '${`a`}'],
    ['deep nesting', '"${'.repeat(400) + '}"'.repeat(400)],
  ])('refuses %s, which Terraform may read in another way', (_, text) => {
    expect(() => filesIn(text)).toThrow(/^must hold expressions that a sandbox reads, got: /);
  });

  test('takes what only computes, and a file of the stack', () => {
    const computed = '${join(",", [for zone in ("a") : upper("$${file("x")}-${zone}") if (true)])}';
    expect(filesIn(`${computed}\${local.a}\${(1)} call file("x") is text`)).toEqual([]);
    expect(filesIn('$$${file("/a")}${<<-E\n/*\nE\n}${file("a")}${1 /* */}')).toEqual(['a']);
    expect(filesIn('${file("a.txt")}${filesha256("${path.module}/b.txt")}')).toEqual([
      'a.txt',
      'b.txt',
    ]);
  });
});

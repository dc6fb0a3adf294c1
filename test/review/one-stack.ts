import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { readTree, type SynthesizedTree } from '../../src/reach/read/read-tree.js';

/** A tree with one stack of another, to be read with files that say something else. */
export class OneStack {
  readonly #tree = mkdtempSync(join(tmpdir(), 'one-stack-'));
  readonly #folder: string;

  constructor(
    tree: string,
    readonly name: string,
  ) {
    afterAll(() => rmSync(this.#tree, { recursive: true, force: true }));
    this.#folder = join(this.#tree, 'stacks', name);
    cpSync(join(tree, 'stacks', name), this.#folder, { recursive: true });
  }

  text(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  readWith(texts: Readonly<Record<string, string>>): SynthesizedTree {
    const before = Object.keys(texts).map((file) => [file, this.text(file)] as const);
    this.#write(Object.entries(texts));
    try {
      return readTree(this.#tree, '--head');
    } finally {
      this.#write(before);
    }
  }

  #write(files: readonly (readonly [file: string, text: string])[]): void {
    for (const [file, text] of files) writeFileSync(join(this.#folder, file), text);
  }
}

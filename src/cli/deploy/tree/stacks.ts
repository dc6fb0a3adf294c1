import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { usageError } from '../../../codes/connectivity-error.js';
import { shownLines } from '../../../codes/redact.js';
import { type Annotation, type ManifestStack, readManifest } from '../../../terraform/manifest.js';

/** A stack of a tree that is deployed. */
export interface TreeStack extends Omit<ManifestStack, 'annotations'> {
  /** Holds `cdk.tf.json`. */
  readonly folder: string;
}

/**
 * Reads the stacks of a synthesized tree, and prints the annotations of their constructs.
 *
 * @param option names the tree in an error
 * @throws ConnectivityError `usage.invalid` where a construct states an error
 */
export function readStacks(tree: string, option: string): TreeStack[] {
  const stacks = readManifest(tree, option);
  if (stacks === undefined) {
    throw usageError(
      `\`${option}\` must be a tree that was synthesized, with a manifest.json, got: "${tree}"; synthesize it first, or leave the option out`,
    );
  }
  showAnnotations(stacks.flatMap(({ annotations }) => annotations));
  return stacks.map(({ name, dependencies }) => ({
    name,
    folder: resolve(tree, 'stacks', name),
    dependencies,
  }));
}

const LEVELS: Readonly<Record<string, { word: string; colour: 'red' | 'yellow' | 'cyan' }>> = {
  '@cdktf/error': { word: 'ERROR', colour: 'red' },
  '@cdktf/warn': { word: 'WARN', colour: 'yellow' },
};

function showAnnotations(annotations: readonly Annotation[]): void {
  for (const { level, constructPath, message } of annotations) {
    const { word, colour } = LEVELS[level] ?? { word: 'INFO', colour: 'cyan' };
    const line = `${word} [${constructPath}]: ${shownLines(message)}`;
    process.stderr.write(`${process.stderr.isTTY ? styleText(colour, line) : line}\n`);
  }
  const wrong = annotations.filter(({ level }) => LEVELS[level]?.word === 'ERROR');
  if (wrong[0] === undefined) return;
  throw usageError(
    `no construct must state an error, got: ${wrong.length}, the first of ${wrong[0].constructPath}; nothing was changed`,
  );
}

/**
 * Finds the stacks that patterns name, each once and in the order of the tree.
 *
 * @throws ConnectivityError `usage.invalid` listing the stacks that there are
 */
export function selectStacks(
  stacks: readonly TreeStack[],
  patterns: readonly string[],
): readonly TreeStack[] {
  const names = stacks.map(({ name }) => name).join(', ') || 'none';
  if (patterns.length === 0) {
    if (stacks.length === 1) return stacks;
    throw usageError(
      `\`STACK\` must name a stack, or all with '*', got: nothing; the stacks are: ${names}`,
    );
  }
  const selected = new Set(
    patterns.flatMap((pattern) => {
      const matches = matcherOf(pattern);
      const found = stacks.filter(({ name }) => name === pattern || matches.test(name));
      if (found.length > 0) return found;
      throw usageError(
        `\`STACK\` must be the name of a stack or a pattern that matches one, got: "${pattern}"; the stacks are: ${names}`,
      );
    }),
  );
  return stacks.filter((stack) => selected.has(stack));
}

/** Reads `*`, `?`, `[a-z]` and `{one,two}` of a pattern. */
function matcherOf(pattern: string): RegExp {
  const parts = pattern.match(/\*+|\?|\[[^\]]+\]|\{[^{}]*\}|[\s\S]/g) ?? [];
  const source = parts.map((part) => {
    if (part.startsWith('*')) return '.*';
    if (part === '?') return '.';
    if (/^\[.+\]$/s.test(part)) {
      const [, not = '', members = ''] = /^\[([!^]?)(.*)\]$/s.exec(part) ?? [];
      return `[${not && '^'}${members.replace(/[\\\]^]/g, '\\$&')}]`;
    }
    if (/^\{.*\}$/s.test(part)) return `(?:${part.slice(1, -1).split(',').map(literal).join('|')})`;
    return literal(part);
  });
  try {
    return new RegExp(`^${source.join('')}$`, 's');
  } catch {
    // A range that runs backwards, such as [z-a], matches nothing.
    return /(?!)/;
  }
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Refuses a selection without what it depends on, or for a destroy without what depends on it.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function refuseMissingDependencies(
  verb: 'deploy' | 'destroy',
  selected: readonly TreeStack[],
  all: readonly TreeStack[],
): void {
  const isSelected = (name: string) => selected.some((stack) => stack.name === name);
  const missing =
    verb === 'deploy'
      ? selected.flatMap(({ dependencies }) => dependencies)
      : all.filter(({ dependencies }) => dependencies.some(isSelected)).map(({ name }) => name);
  const names = [...new Set(missing.filter((name) => !isSelected(name)))];
  if (names.length === 0) return;
  const relation = verb === 'deploy' ? 'that the others depend on' : 'that depend on the others';
  throw usageError(
    `\`STACK\` must include the stacks ${relation}, got: none of ${names.join(', ')}; add them, or pass --ignore-missing-stack-dependencies`,
  );
}

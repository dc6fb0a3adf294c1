import { usageError } from '../../../codes/connectivity-error.js';
import type { TreeStack } from './read-stacks.js';

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

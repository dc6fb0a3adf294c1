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

interface Order {
  /** The number of stacks that may be changed at once. */
  readonly limit: number;
  /** Names of the stacks whose change comes before that of a stack. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** Ends the work after the stacks that are being changed. */
  readonly isStopped: () => boolean;
}

/** Exit status of each stack in the order of their ends, and names of those that were not begun. */
export interface Changes {
  readonly ended: readonly { readonly name: string; readonly status: number }[];
  readonly skipped: readonly string[];
}

/**
 * Changes each stack after those that come before it. What comes after a stack that failed is skipped,
 * and everything else goes on.
 */
export async function changeInOrder(
  stacks: readonly TreeStack[],
  { limit, before, isStopped }: Order,
  change: (stack: TreeStack) => Promise<number>,
): Promise<Changes> {
  const waiting = new Set(stacks);
  const running = new Map<string, Promise<void>>();
  const ended: { name: string; status: number }[] = [];
  const isDone = (name: string) => ended.some((end) => end.name === name && end.status === 0);
  const isReady = ({ name }: TreeStack) => (before.get(name) ?? []).every(isDone);
  for (;;) {
    for (const stack of [...waiting].filter(isReady)) {
      if (running.size >= limit || isStopped()) break;
      waiting.delete(stack);
      const ending = change(stack).then((status) => {
        running.delete(stack.name);
        ended.push({ name: stack.name, status });
      });
      running.set(stack.name, ending);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return { ended, skipped: [...waiting].map(({ name }) => name) };
}

/**
 * Finds what comes before each stack: the dependencies that the app states, and the stacks whose state
 * it reads by itself. A destroy goes the other way.
 *
 * @param reads names of the stacks whose state a stack reads
 */
export function orderOf(
  verb: 'deploy' | 'destroy',
  stacks: readonly TreeStack[],
  reads: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const names = new Set(stacks.map(({ name }) => name));
  const needs = new Map(
    stacks.map(({ name, dependencies }) => [name, dependencies.filter((one) => names.has(one))]),
  );
  for (const [name, others] of reads) {
    // Two stacks that read each other's state have an order only by what the app states.
    const added = others.filter((one) => names.has(one) && !leadsTo(needs, one, name));
    needs.set(name, [...(needs.get(name) ?? []), ...added]);
  }
  if (verb === 'deploy') return needs;
  return new Map(
    stacks.map(({ name }) => [
      name,
      [...needs].filter(([, others]) => others.includes(name)).map(([other]) => other),
    ]),
  );
}

function leadsTo(needs: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  return from === to || (needs.get(from) ?? []).some((next) => leadsTo(needs, next, to));
}

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
 * Reads the stacks of a synthesized tree, and shows what their constructs say of themselves.
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

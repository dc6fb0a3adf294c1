import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import * as z from 'zod';
import { ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { shownLines } from '../../../codes/redact.js';
import { readJsonFile } from '../../../files/json-text.js';

const annotationSchema = z.object({
  constructPath: z.string(),
  level: z.string(),
  message: z.string(),
});

const manifestSchema = z.object({
  stacks: z.record(
    z.string(),
    z.object({
      name: z.string(),
      workingDirectory: z.string(),
      annotations: z.array(annotationSchema).default([]),
      dependencies: z.array(z.string()).default([]),
    }),
  ),
});

export interface TreeStack {
  readonly name: string;
  /** Holds `cdk.tf.json`. */
  readonly folder: string;
  /** Stacks whose outputs it uses. */
  readonly dependencies: readonly string[];
}

/**
 * Reads the stacks of a synthesized tree, and shows what their constructs say of themselves.
 *
 * @param option names the tree in an error
 * @throws ConnectivityError `usage.invalid`, `construct.invalid` where a construct states an error
 */
export function readManifest(tree: string, option: string): TreeStack[] {
  const file = join(tree, 'manifest.json');
  if (!existsSync(file)) {
    throw usageError(
      `\`${option}\` must be a tree that was synthesized, with a manifest.json, got: "${tree}"; synthesize it first, or leave the option out`,
    );
  }
  const stacks = Object.values(parseManifest(file, option).stacks);
  showAnnotations(stacks.flatMap(({ annotations }) => annotations));
  return stacks.map(({ name, workingDirectory, dependencies }) => ({
    name,
    folder: resolve(tree, workingDirectory),
    dependencies,
  }));
}

function parseManifest(file: string, option: string) {
  try {
    return manifestSchema.parse(readJsonFile(file));
  } catch (cause) {
    throw usageError(
      `\`${option}\` must have a manifest.json that lists stacks, got: ${file}; synthesize again`,
      cause,
    );
  }
}

const LEVELS: Readonly<Record<string, { word: string; colour: 'red' | 'yellow' | 'cyan' }>> = {
  '@cdktf/error': { word: 'ERROR', colour: 'red' },
  '@cdktf/warn': { word: 'WARN', colour: 'yellow' },
};

function showAnnotations(annotations: readonly z.infer<typeof annotationSchema>[]): void {
  for (const { level, constructPath, message } of annotations) {
    const { word, colour } = LEVELS[level] ?? { word: 'INFO', colour: 'cyan' };
    const line = `${word} [${constructPath}]: ${shownLines(message)}`;
    process.stderr.write(`${process.stderr.isTTY ? styleText(colour, line) : line}\n`);
  }
  const wrong = annotations.filter(({ level }) => LEVELS[level]?.word === 'ERROR');
  if (wrong[0] === undefined) return;
  throw new ConnectivityError(
    'construct.invalid',
    `no construct must state an error, got: ${wrong.length}, the first of ${wrong[0].constructPath}; nothing was changed`,
  );
}

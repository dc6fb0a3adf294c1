import type { Block } from '../../reach/read/merge-files.js';
import { type Call, readExpressions } from '../../terraform/expressions.js';
import { fileWithin, isPure } from '../../terraform/functions.js';

/** Makes the error for what is not understood. @param rule what the stack must do @param got what it does */
export type Refuse = (rule: string, got: string) => Error;

/** Files below the stack's folder that functions read, with those that are templates. */
export type Assets = ReadonlyMap<string, 'content' | 'template'>;

/** Finds the files that the functions in blocks read. @throws what `refuse` makes, for any other function */
export function findAssets(blocks: readonly Block[], refuse: Refuse): Assets {
  const assets = new Map<string, 'content' | 'template'>();
  for (const { kind, labels, body } of blocks) {
    const place = [kind, ...labels].join('.');
    const { calls, unreadable } = readExpressions(body);
    if (unreadable[0] !== undefined) {
      throw refuse('must hold expressions that a sandbox reads', `${unreadable[0]} in ${place}`);
    }
    for (const call of calls) {
      if (isPure(call)) continue;
      const file = assetOf(call);
      if (file === undefined) {
        throw refuse(
          "must call functions that read no files, or with the literal path of one in the folder of the stack that is none of Terraform's own",
          `${call.name}() in ${place}`,
        );
      }
      assets.set(file, call.name === 'templatefile' ? 'template' : (assets.get(file) ?? 'content'));
    }
  }
  return assets;
}

/** Files that Terraform reads by their names: what a function reads is copied beside the configuration. */
const READ_BY_NAME = /(?:^|\/)\.terraform|\.(?:tf|tofu)[a-z]*(?:[./]|$)/i;

/** The file that a function reads, relative to the stack's folder. */
function assetOf(call: Call): string | undefined {
  const file = call.name === 'fileset' ? undefined : fileWithin(call);
  return file === undefined || READ_BY_NAME.test(file) ? undefined : file;
}

/** Finds a call in a template file that a template must not make; `%` and `$` begin its own templates. */
export function findCallInTemplate(text: string): string | undefined {
  const { calls, unreadable } = readExpressions(text);
  return unreadable[0] ?? calls.find((call) => !isPure(call))?.name;
}

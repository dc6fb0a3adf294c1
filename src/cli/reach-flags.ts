import { usageError } from '../codes/connectivity-error.js';
import type { Format } from './program/arguments.js';

type FormatName = 'text' | 'markdown' | 'json' | 'mermaid' | 'svg' | 'html';

/** The flags of `reach`. */
export interface Flags {
  readonly tree?: string;
  readonly state?: string;
  readonly plan?: string;
  readonly live?: true;
  readonly maxReads?: number;
  readonly base?: string;
  readonly stack?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly protocol?: string;
  readonly vpc?: string;
  readonly expect?: 'reachable' | 'closed';
  /** True: those beside the stacks of the tree. */
  readonly intents?: string | true;
  readonly writeIntents?: string;
  readonly verbose?: true;
  readonly format?: readonly Format<FormatName>[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks flags beside each other: none is left out in silence.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function checkFlags(flags: Flags): void {
  const { tree, state, plan, live, stack, from, to, intents, writeIntents } = flags;
  const sources = { '--tree': tree, '--state': state, '--plan': plan };
  exclude(sources, sources);
  exclude({ '--state': state, '--plan': plan }, { '--live': live, '--stack': stack });
  const { maxReads, base, vpc, protocol, expect, verbose } = flags;
  need('--live', live, { '--max-reads': maxReads });
  const drawing = flags.format?.find(({ name }) => ['mermaid', 'svg', 'html'].includes(name));
  need('--format mermaid`, `svg` or `html', drawing, { '--base': base });
  exclude({ '--state': state, '--plan': plan, '--live': live }, { '--base': base });
  const tables = { '--intents': intents, '--write-intents': writeIntents };
  exclude({ '--from': from, '--to': to, '--verbose': verbose }, tables);
  exclude(
    { '--write-intents': writeIntents },
    { '--intents': intents, '--format': flags.format?.map(({ name }) => name) },
  );
  need('--from` or `--to', from ?? to, { '--vpc': vpc, '--protocol': protocol });
  need('--from', from, { '--expect': expect });
  need('--to', to, { '--expect': expect });
}

/** @throws ConnectivityError `usage.invalid` where one of the flags is given without the one that it needs */
function need(needed: string, value: unknown, flags: Values): void {
  const [first] = value === undefined ? given(flags) : [];
  if (first === undefined) return;
  throw usageError(`\`${first.flag}\` needs \`${needed}\`, got: ${first.text}`);
}

/** @throws ConnectivityError `usage.invalid` where a flag is given beside one of the others */
function exclude(flags: Values, others: Values): void {
  for (const one of given(flags)) {
    const other = given(others).find(({ flag }) => flag !== one.flag);
    if (other === undefined) continue;
    throw usageError(
      `\`${one.flag}\` and \`${other.flag}\` exclude each other, got: ${one.text} and ${other.text}`,
    );
  }
}

function given(flags: Values): { readonly flag: string; readonly text: string }[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([flag, value]) => ({ flag, text: value === true ? flag : [value].flat().join(', ') }));
}

import type { Token } from './tokens.js';

export interface Call {
  /** The name with its namespace, unless that is `core`. */
  readonly name: string;
  readonly line: number;
  /** Its first argument, where that is a literal text. */
  readonly path?: string;
}

/** Every call in tokens and in the templates of their texts; a comment or a line may precede its bracket. */
export function findCalls(tokens: readonly Token[]): Call[] {
  const flat = tokens.filter(({ kind }) => kind !== 'newline');
  const inner = flat.flatMap((token) => findCalls(token.inner ?? []));
  const own = flat.flatMap((token, index): Call[] => {
    if (token.kind !== 'name' || flat[index + 1]?.text !== '(') return [];
    const namespace = namespaceBefore(flat, index);
    const [first, second] = [flat[index + 2], flat[index + 3]];
    const isAlone = second !== undefined && [')', ','].includes(second.text);
    const path = isAlone && first?.kind === 'text' ? first.literal : undefined;
    return [
      {
        name: namespace === 'core::' ? token.text : `${namespace}${token.text}`,
        line: token.line,
        ...(path !== undefined && { path }),
      },
    ];
  });
  return [...own, ...inner];
}

function namespaceBefore(tokens: readonly Token[], index: number): string {
  if (tokens[index - 1]?.text !== '::') return '';
  return `${namespaceBefore(tokens, index - 2)}${tokens[index - 2]?.text ?? ''}::`;
}

/** What an expression of a workflow can name; a `*` collects from all members. */
export type Contexts = Readonly<Record<string, unknown>>;

const NAME = /'[^']*'|\b(inputs|needs|steps|github|secrets|vars|env|runner)((?:\.(?:[\w-]+|\*))+)/g;

/** Results of the steps or jobs before, which the status functions of a condition ask for. */
export interface Before {
  readonly failed: boolean;
}

/** The value of an expression, as the runner of GitHub computes it. */
export function evaluate(expression: string, contexts: Contexts, before: Before): unknown {
  const source = expression.replaceAll(NAME, (word, context) =>
    context === undefined ? word : `get(${JSON.stringify(word)})`,
  );
  const compute = new Function(
    ...['get', 'contains', 'join', 'success', 'failure', 'always'],
    `return (${source.replaceAll(' == ', ' === ').replaceAll(' != ', ' !== ')});`,
  );
  return compute(
    (path: string) => lookUp(contexts, path.split('.')),
    (text: unknown, part: string) => String(text).includes(part),
    (parts: readonly unknown[], by: string) => parts.join(by),
    () => !before.failed,
    () => before.failed,
    () => true,
  );
}

/** A step or job without a status function in its condition runs only after success. */
export function isDue(condition: string | undefined, contexts: Contexts, before: Before): boolean {
  const text = condition ?? 'success()';
  const hasStatus = /\b(success|failure|always)\(/.test(text);
  return Boolean(evaluate(hasStatus ? text : `success() && (${text})`, contexts, before));
}

/** A text with its expressions filled in. */
export function expand(text: string, contexts: Contexts, before: Before): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression) =>
    String(evaluate(expression, contexts, before) ?? ''),
  );
}

function lookUp(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value ?? '';
  if (typeof value !== 'object' || value === null) return '';
  if (name === '*') return Object.values(value).map((one) => lookUp(one, rest));
  return lookUp((value as Record<string, unknown>)[name], rest);
}

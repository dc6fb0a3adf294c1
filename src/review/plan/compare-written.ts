import { isDeepStrictEqual } from 'node:util';
import { type Json, list, object } from '../read/json-values.js';

/**
 * The first attribute that a plan shows as written otherwise. It shows JSON word for word, expressions
 * included; of Terraform's own language only what an expression refers to, which is not compared.
 *
 * @param expressions as a plan's configuration has them
 */
export function findOtherAttribute(written: Json, expressions: Json = {}): string | undefined {
  const names = new Set([...Object.keys(written), ...Object.keys(expressions)]);
  return [...names].find((name) => !isWrittenAs(member(written, name), member(expressions, name)));
}

function isWrittenAs(written: unknown, expression: unknown): boolean {
  if (Array.isArray(expression)) {
    const blocks = list(written);
    return (
      blocks.length === expression.length &&
      blocks.every((block, i) => isWrittenAs(block, expression[i]))
    );
  }
  if (expression === undefined) return isSame(written, undefined);
  const shown = object(expression);
  if (Object.hasOwn(shown, 'constant_value')) return isSame(written, shown.constant_value);
  const isOpaque = Object.hasOwn(shown, 'references') || Object.keys(shown).length === 0;
  // A block can be written as an object, or as a list of one.
  return isOpaque || findOtherAttribute(object(list(written)[0]), shown) === undefined;
}

/** An attribute that is null is not given. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? undefined, b ?? undefined);
}

function member(values: Json, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

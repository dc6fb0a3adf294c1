/**
 * Keys that appear twice in one object of a JSON text. A parser silently keeps the last one: of two
 * subnets in one zone, one would be gone.
 *
 * @param text valid JSON
 * @returns paths, as `network.subnets.cn-beijing-a`
 */
export function duplicateKeys(text: string): string[] {
  const found: string[] = [];
  const open: Level[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{},]/g)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ keys: new Set(), at: token === '[' ? 0 : '' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof level?.at === 'number') level.at += 1;
    else if (token.endsWith(':') && level !== undefined) {
      const key = JSON.parse(token.slice(0, -1).trimEnd()) as string;
      level.at = key;
      if (level.keys.has(key)) found.push(open.map(({ at }) => at).join('.'));
      level.keys.add(key);
    }
  }
  return found;
}

interface Level {
  readonly keys: Set<string>;
  /** The key or index that is being read. */
  at: string | number;
}

import { resolve } from 'node:path';

/** For what concerns which links are checked, and where reports go. */
export function neverRepeated(): undefined {
  return undefined;
}

export function asTyped(
  value: string | number | boolean | readonly string[] | undefined,
): string | boolean | readonly string[] | undefined {
  return typeof value === 'number' ? value.toString() : value;
}

export function asTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : `${milliseconds}ms`;
}

/** Negated flags are typed to say no. */
export function asNegation(value: boolean | undefined): boolean {
  return value === false;
}

/** The command works from any folder. Standard input and open descriptors have no other name. */
export function asFile(file: string | undefined): string | undefined {
  if (file === undefined || file === '-' || file.startsWith('/dev/')) return file;
  return resolve(file);
}

/** Of what may be `@FILE`. */
export function asListed(texts: readonly string[] | undefined): readonly string[] | undefined {
  return texts?.map((text) => (text.startsWith('@') ? `@${asFile(text.slice(1))}` : text));
}

export function withoutCredentials(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z]+:\/\/)?.*@/i, '$1');
}

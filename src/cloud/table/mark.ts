import { createHash } from 'node:crypto';
import type { Row } from './row.js';

/** Tags that begin so are the package's own. */
export const MARK_PREFIX = 'secure-connectivity:';

export const STACK_TAG = `${MARK_PREFIX}stack`;
const ADDRESS_TAG = `${MARK_PREFIX}address`;

/** The cloud takes 20 tags in one call; two are the mark. */
export const MAX_OWN_TAGS = 18;

/** Bounded by the tag value of the strictest service. */
const MAX_TAG_VALUE = 255;

/** The purpose of an object of the cloud: a stack, and a resource's address in it. */
interface Mark {
  readonly stack: string;
  readonly address: string;
}

/**
 * Returns the place of a type's mark, so that an object of an interrupted create can be recognized:
 * in its tags, in its description, or nowhere, where only its references tell what it is.
 */
export function markPlace({ kind, markedBy, attributes }: Row): 'tags' | 'description' | undefined {
  if (kind === 'data') return undefined;
  return markedBy ?? ('tags' in attributes ? 'tags' : undefined);
}

/** Own tags that leave no room for the mark, or pretend to be it. */
export function markProblems({ tags }: Record<string, unknown>): string[] {
  if (!Array.isArray(tags)) return [];
  const keys = tags.map((tag: { readonly key?: unknown }) => String(tag.key));
  return [
    ...(keys.length > MAX_OWN_TAGS
      ? [`\`tags\` must be at most ${MAX_OWN_TAGS}, got: ${keys.length}; two more are added`]
      : []),
    ...keys
      .filter((key) => key.startsWith(MARK_PREFIX))
      .map(
        (key) => `\`tags\` must have keys that do not start with \`${MARK_PREFIX}\`, got: "${key}"`,
      ),
  ];
}

/** The tags of a mark, in the order of their keys. */
export function markTags({ stack, address }: Mark): { key: string; value: string }[] {
  return [
    { key: ADDRESS_TAG, value: address.slice(-MAX_TAG_VALUE) },
    { key: STACK_TAG, value: stack.slice(-MAX_TAG_VALUE) },
  ];
}

/** The mark among tags, in the form of Terraform or of the API, as far as they hold it. */
export function readMark(tags: unknown): Partial<Mark> {
  if (!Array.isArray(tags)) return {};
  const values = new Map(
    tags.map((tag: Readonly<Record<string, unknown>>) => [
      tag.key ?? tag.Key,
      String(tag.value ?? tag.Value ?? ''),
    ]),
  );
  const [stack, address] = [values.get(STACK_TAG), values.get(ADDRESS_TAG)];
  return { ...(stack !== undefined && { stack }), ...(address !== undefined && { address }) };
}

/**
 * A description that ends with the mark. The address is a digest there: descriptions are short, and
 * take few signs.
 */
export function markDescription(description: string | undefined, mark: Mark): string {
  const stack = mark.stack.replaceAll(/[^A-Za-z0-9_-]/g, '-');
  const digest = createHash('sha256').update(mark.address).digest('hex');
  return [...(description ? [description] : []), `${stack} ${digest.slice(0, 8)}`].join(', ');
}

/** The mark at the end of a description; undefined where there is none. */
export function readDescriptionMark(description: unknown): string | undefined {
  if (typeof description !== 'string') return undefined;
  return /(?:^|, )([A-Za-z0-9_-]+ [0-9a-f]{8})$/.exec(description)?.[1];
}

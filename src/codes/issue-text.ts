import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Faults of one field that a schema refused: the one wording of every file and flag. It takes
 * `reportInput` to tell what is missing.
 *
 * @param nameOf what the user calls the field at a path: `--key-id`
 */
export function issueText(issue: Issue, nameOf = (path: string) => path): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `\`${nameOf([...issue.path, key].join('.'))}\``);
    return `${keys.join(', ')} must not be there`;
  }
  return `\`${nameOf(path) || '(root)'}\` ${issueRule(issue, issue.input)}`;
}

/** The rule that a value breaks. */
export function issueRule(issue: Issue, value: unknown): string {
  if (issue.code !== 'custom' && value === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((each) => JSON.stringify(each)).join(', ')}`;
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'too_small':
      return value === '' ? 'must not be empty' : bound('at least', issue.minimum, issue.origin);
    case 'invalid_union':
      return issue.message === 'Invalid input' ? 'has a form that is not known' : issue.message;
    default:
      return issue.message;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function bound(side: string, limit: number | bigint, origin: string): string {
  const unit = { string: ' characters long', array: ' members' }[origin] ?? '';
  return `must ${origin === 'array' ? 'have' : 'be'} ${side} ${limit}${unit}`;
}

/** Makes a check for a schema of texts: it refuses what a parser throws at, with the rule that it names. */
export function parsedBy(parse: (text: string) => unknown) {
  return (text: string, context: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  };
}

/** The value at the path of an issue. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    root,
  );
}

import type * as z from 'zod/mini';

/** What is wrong with one field, for people; it needs `reportInput` to tell what is missing. */
export function issueText(issue: z.core.$ZodIssue, nameOf = (path: string) => path): string {
  const field = `\`${nameOf(issue.path.join('.')) || '(root)'}\``;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `\`${[...issue.path, key].join('.')}\``);
    return `${keys.join(', ')} must not be there`;
  }
  return `${field} ${rule(issue)}`;
}

function rule(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom' && issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be a URL with http or https'
        : `must be ${issue.format}`;
    case 'too_small':
      return 'must not be empty';
    case 'invalid_union':
      return 'has a form that is not known';
    default:
      return issue.message;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

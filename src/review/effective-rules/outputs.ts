import { readNextSteps } from '../../link/next-steps.js';
import { list, text } from '../../reach/read/json.js';
import type { Block } from '../../reach/read/merge-files.js';
import {
  type Fact,
  makeFacts,
  type Reading,
  toBoolean,
  unreadMembers,
  unreadValue,
} from '../../reach/rules/reading.js';
import { readExpressions } from '../../terraform/expressions.js';
import { readConnectivity, readToldToCheck, TOLD } from './links.js';
import type { StackContext } from './programs/check-steps.js';

/** Reads an output: it opens nothing, but people and clients use what it gives them. */
export function readOutput(
  where: string,
  { body, labels }: Block,
  { stack }: StackContext,
): Reading {
  const [name = ''] = labels;
  const isUnreadable = TOLD.has(name) && readToldToCheck(body.value) === undefined;
  return {
    facts: [
      ...givenFacts(where, name, body.value, stack),
      ...makeFacts({ kind: 'safeguard', resource: where }, SENSITIVE, {
        sensitive: toBoolean(body.sensitive) === true ? 'sensitive' : [],
      }),
    ],
    unread: [
      ...unreadMembers(where, body, OUTPUT, 'the argument is not known'),
      ...(isUnreadable ? [unreadValue(where, 'value', NOT_TOLD, body.value)] : []),
    ],
  };
}

const OUTPUT = ['//', 'value', 'description', 'sensitive'];
const SENSITIVE = {
  sensitive: ['secrecy', 'removed', 'plans, logs and files of outputs show its value'],
} as const;
const NOT_TOLD = 'it is not what this package tells the check';

/** Tells whether a variable is the one in which `deploy` hands the state what was reviewed, and nothing else uses it. */
export function isOfReview(where: string, { resources, blocks }: StackContext['stack']): boolean {
  if (where !== 'variable.reviewed_files' || blocks.get(where)?.body.default !== '') return false;
  const others = [...blocks].filter(([key]) => key !== where && key !== 'output.reviewed-files');
  const { references, unreadable } = readExpressions([resources.map(({ body }) => body), others]);
  const isUsed = references.some(({ path }) => path[1] === 'reviewed_files');
  return !isUsed && unreadable.length === 0;
}

function givenFacts(
  resource: string,
  name: string,
  value: unknown,
  stack: StackContext['stack'],
): Fact[] {
  if (name.endsWith('-options')) {
    const trusted = Object.entries(readToldToCheck(value) ?? { unreadable: value });
    return makeFacts({ kind: 'control', resource }, TRUST, {
      trusted: trusted.flatMap(([of, all]) => list(all).map((one) => `${of} ${text(one)}`)),
    });
  }
  if (JUDGED.test(name)) return [];
  if (name.endsWith('-next-steps')) {
    const steps = readNextSteps(text(value));
    return makeFacts({ kind: 'destination', resource }, STEPS, {
      accept: steps?.accept,
      steps: steps === undefined ? value : [],
    });
  }
  const isOfLink = readConnectivity(stack).some(({ baseUrl }) => isBaseUrl(text(value), baseUrl));
  // The row of a link tells of a change of both.
  return makeFacts(
    { kind: 'destination', resource },
    { value: ['value', /-(?:base-url|domain)$/.test(name) ? 'added' : 'replaced', OTHER] },
    { value: isOfLink ? [] : value },
  );
}

/** Steps that people are told to take. */
const STEPS = {
  accept: [
    'connection to accept',
    'replaced',
    'people are told to accept the connection of another',
  ],
  steps: [
    'next steps',
    'added',
    'people are told to do something that this package does not tell them',
  ],
} as const;

const OTHER = 'whoever uses this output is given something else';

/** Outputs that other readers judge. */
const JUDGED = /^(?:rules-digest|connectivity|connections)$|-records$/;

/** Tells whether a text is the base URL, or its host alone. */
function isBaseUrl(value: string, baseUrl: string): boolean {
  return value === baseUrl || value === baseUrl.replace(/^https?:\/\//, '');
}

/** The options of the user ID header that a backend is given. */
const TRUST = {
  trusted: ['trust', 'added', 'the backend trusts the user ID header from elsewhere'],
} as const;

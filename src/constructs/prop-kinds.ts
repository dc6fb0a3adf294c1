import type { AccessException } from '../access/access-rule.js';
import { kind, list, map, numberThat, provider, text, textThat } from '../cloud/props/kinds.js';
import { object, optional, required, type Shape } from '../cloud/props/shape.js';
import { isToken } from '../cloud/token.js';
import { fitsName, NAME, NAME_RULE } from '../settings/defaults.js';
import { cidrProblems, hostProblems, portProblems } from './mistakes.js';
import type { CommonProps } from './props-and-outputs.js';

/** The props that every construct of cloud resources has. */
export const COMMON_PROPS: Shape<CommonProps> = {
  provider: optional(provider),
  projectName: optional(text),
  tags: optional(map('an object of texts by key', text)),
};

/** First part of the names of what is made. */
export const name = textThat(
  (value, path) =>
    isToken(value) || (NAME.test(value) && fitsName(value))
      ? []
      : [`\`${path}\` ${NAME_RULE}, got: "${value}"`],
  'a name',
);

export const host = textThat((value, path) => hostProblems(path, value), 'a host name');

export const port = numberThat((value, path) => portProblems(path, [value]), 'a port');

export const ports = list<number>(
  'ports',
  numberThat(() => [], 'a port'),
  (values, path) => portProblems(path, values),
);

/** CIDRs that must not be most of the internet. */
export function cidrs(remedy?: string) {
  return list<string>(
    'CIDRs',
    textThat(() => [], 'a CIDR'),
    (values, path) => cidrProblems(path, values, remedy),
  );
}

export const exception = object<AccessException>('an object with reason, owner and expires', {
  reason: required(kind('text', isString)),
  owner: required(kind('text', isString)),
  expires: required(kind('a day as YYYY-MM-DD', isString)),
});

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

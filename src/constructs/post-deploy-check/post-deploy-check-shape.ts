import { kind, list, numberThat, oneOf, text } from '../../cloud/props/kinds.js';
import {
  type Check,
  type Kind,
  object,
  optional,
  required,
  type Shape,
} from '../../cloud/props/shape.js';
import { isObject } from '../../files/json.js';
import type { VantagePoint } from '../../link/vantage-point.js';
import { MAX_WAIT_SECONDS } from '../../settings/defaults.js';
import { connected, linked } from '../linked.js';
import { literalProblems } from '../mistakes.js';
import type { KeyPair, PostDeployCheckProps } from './verifier-call.js';

export const POST_DEPLOY_CHECK: Shape<PostDeployCheckProps> = {
  links: required(list('constructs with links', linked)),
  connected: optional(list('private plugins', connected)),
  keyPairs: optional(
    list(
      'key pairs',
      object<KeyPair>('an object with kid and keyFile', {
        kid: required(text),
        keyFile: required(text),
      }),
    ),
  ),
  mode: optional(oneOf('required', 'report', 'off')),
  runOn: optional(oneOf('change', 'every-deploy')),
  waitSeconds: optional(numberThat(waitProblems)),
  runVia: optional(runVia()),
  program: optional(oneOf('secure-connectivity')),
};

function waitProblems(seconds: number, path: string): string[] {
  const unknown = literalProblems(path, seconds);
  if (unknown.length > 0 || (seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) return unknown;
  return [`\`${path}\` must be 0 to ${MAX_WAIT_SECONDS}, got: ${seconds}`];
}

/** A command, or several vantage points with their commands. */
function runVia(): Kind {
  const is = 'a command such as "ssh bastion", or a list of commands';
  const point = kind(
    'a command, or an object with name, command and expect, which is "closed" or absent',
    (value): value is string | VantagePoint =>
      typeof value === 'string' ||
      (isObject(value) &&
        typeof value.name === 'string' &&
        Array.isArray(value.command) &&
        (value.expect === undefined || value.expect === 'closed')),
  );
  const points = list('commands', point);
  const problems: Check = (value, path) =>
    Array.isArray(value) ? points.problems(value, path) : text.problems(value, path);
  return { is, problems };
}

import { TerraformProvider } from 'cdktf';
import { nearTexts } from '../../codes/near-text.js';
import { isObject } from '../../files/json.js';
import { type Check, type Kind, wrong } from './shape.js';

const NOTHING_MORE = () => [];

/**
 * Values that a test accepts.
 *
 * @param further their problems, of values that it does accept
 */
export function kind<T>(
  is: string,
  accepts: (value: unknown) => value is T,
  further: Check<T> = NOTHING_MORE,
): Kind {
  return {
    is,
    problems: (value, path) => (accepts(value) ? further(value, path) : [wrong(path, is, value)]),
  };
}

/** Text that is not blank; it may be a token. */
export const text = textThat();

/** Text that is not blank, with further rules. */
export function textThat(further: Check<string> = NOTHING_MORE, is = 'text'): Kind {
  return kind(is, isText, further);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Text that may be empty where its own rule says what that means. */
export const anyText = kind('text', (value) => typeof value === 'string');

export const flag = kind('true or false', (value) => typeof value === 'boolean');

export const number = numberThat();

/** A number, which may be a token, with further rules. */
export function numberThat(further: Check<number> = NOTHING_MORE, is = 'a number'): Kind {
  return kind(is, (value) => typeof value === 'number', further);
}

/** One of some texts, written as they are. */
export function oneOf(...texts: readonly string[]): Kind {
  const quoted = texts.map((one) => `"${one}"`);
  const is = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
  return {
    is,
    problems: (value, path) => {
      if (texts.some((one) => one === value)) return [];
      const [near] = typeof value === 'string' ? nearTexts(value, texts) : [];
      return [wrong(path, is, value, near === undefined ? '' : `; write "${near}"`)];
    },
  };
}

/**
 * A list, each of whose members is of one kind.
 *
 * @param of the members, in words
 * @param further the problems of a list whose members are right
 */
export function list<T>(
  of: string,
  member: Kind,
  further: Check<readonly T[]> = NOTHING_MORE,
): Kind {
  const is = `a list of ${of}`;
  return {
    is,
    problems: (value, path) => {
      if (!Array.isArray(value)) return [wrong(path, is, value, '; write it in brackets: [ ]')];
      const problems = value.flatMap((one, index) => member.problems(one, `${path}[${index}]`));
      return problems.length > 0 ? problems : further(value, path);
    },
  };
}

/** An object of values of one kind, by names of the user's choice. */
export function map(is: string, member: Kind): Kind {
  return {
    is,
    problems: (value, path) =>
      isObject(value)
        ? Object.entries(value).flatMap(([name, one]) => member.problems(one, `${path}.${name}`))
        : [wrong(path, is, value)],
  };
}

/** One of two kinds, told apart by a test of the value. */
export function either(
  is: string,
  isFirst: (value: unknown) => boolean,
  first: Kind,
  second: Kind,
): Kind {
  return {
    is,
    problems: (value, path) => {
      const { problems } = isFirst(value) ? first : second;
      return isObject(value) ? problems(value, path) : [wrong(path, is, value)];
    },
  };
}

export const provider = kind('a provider of the stack, such as its CloudProvider', (value) =>
  TerraformProvider.isTerraformProvider(value),
);

import { Token } from 'cdktf';
import { nearTexts } from '../../codes/near-text.js';
import { redact } from '../../codes/redact.js';
import { isObject } from '../../files/json.js';

/** The problems of a value, each a sentence that names its path; none if it is right. */
export type Check<T = unknown> = (value: T, path: string) => readonly string[];

/** A kind of value that a prop may have. */
export interface Kind {
  /**
   * The kind of value that a user has to give, as the end of a sentence: `text`, `a list of CIDRs`.
   */
  readonly is: string;
  readonly problems: Check;
}

interface Prop<IsOptional extends boolean> {
  readonly kind: Kind;
  readonly isOptional: IsOptional;
}

/** The kind of every prop: the compiler refuses a shape that lacks one, or has one optional that is not. */
export type Shape<P> = {
  readonly [K in keyof P]-?: Prop<undefined extends P[K] ? true : false>;
};

type Props = Readonly<Record<string, Prop<boolean>>>;

export function required(kind: Kind): Prop<false> {
  return { kind, isOptional: false };
}

export function optional(kind: Kind): Prop<true> {
  return { kind, isOptional: true };
}

/**
 * Checks props that JavaScript, or a cast, may have given any form: unknown, missing and wrong ones,
 * all at once.
 *
 * @param further problems of several props together, asked only of props that are right by themselves
 */
export function propsProblems<P>(
  shape: Shape<P>,
  props: P,
  further: (props: P) => readonly string[] = () => [],
): string[] {
  if (!isObject(props ?? {})) return [`the props must be an object, got: ${shownValue(props)}`];
  const given = toRecord(props);
  const broken = memberProblems(shape, given, '');
  return [
    ...strayProblems(shape, given, ''),
    ...broken,
    ...(broken.length === 0 ? further(props) : []),
  ];
}

/** An object with members of these kinds, and no others. */
export function object<P>(is: string, shape: Shape<P>): Kind {
  return {
    is,
    problems: (value, path) =>
      isObject(value)
        ? [...strayProblems(shape, value, `${path}.`), ...memberProblems(shape, value, `${path}.`)]
        : [wrong(path, is, value)],
  };
}

/** The problem of a value that is known too late. */
export function tokenProblem(path: string): string {
  return `\`${path}\` must be a literal: access rules are reviewed before the deploy; got: a token`;
}

/** The problem of a value that is of no kind that its prop may have. */
export function wrong(path: string, is: string, value: unknown, remedy = ''): string {
  if (isToken(value)) return tokenProblem(path);
  return `\`${path}\` must be ${is}, got: ${shownValue(value)}${remedy}`;
}

/** A text among props that may have mistakes; empty where it is none. */
export function givenText<P>(props: P, name: keyof P & string): string {
  const value = toRecord(props)[name];
  return typeof value === 'string' ? value : '';
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function memberProblems(shape: Props, given: Readonly<Record<string, unknown>>, prefix: string) {
  return Object.entries(shape).flatMap(([name, { kind, isOptional }]) => {
    const value = given[name];
    if (value !== undefined) return kind.problems(value, `${prefix}${name}`);
    return isOptional ? [] : [`\`${prefix}${name}\` is required; give ${kind.is}`];
  });
}

function strayProblems(shape: Props, given: Readonly<Record<string, unknown>>, prefix: string) {
  const known = Object.keys(shape);
  return Object.keys(given)
    .filter((name) => given[name] !== undefined && !known.includes(name))
    .map((name) => {
      const [near] = nearTexts(name, known);
      const remedy =
        near === undefined
          ? `remove it, or choose one of: ${known.join(', ')}`
          : `did you mean \`${prefix}${near}\`?`;
      return `\`${prefix}${name}\` is not a prop; ${remedy}`;
    });
}

const MAX_SHOWN = 100;

/** A value that a user gave, short and without secrets: `"HTTPS"`, `an object with name, cidr`. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return shownText(value);
  if (isToken(value)) return 'a token';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'function') return `the function ${value.name || 'without a name'}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return shownObject(value);
}

function shownText(text: string): string {
  if (isToken(text)) return 'a token';
  if (text.includes('PRIVATE KEY')) return 'a private key, which is not shown';
  const shown = redact(text);
  return shown.length <= MAX_SHOWN ? `"${shown}"` : `"${shown.slice(0, MAX_SHOWN)}…"`;
}

function shownObject(value: object): string {
  const { name } = value.constructor ?? Object;
  if (name !== 'Object') return `a ${name}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.slice(0, 8).join(', ')}`;
}

/** Tells whether a value is known only when Terraform runs; a list of them is one too. */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === 'string' && Token.isUnresolved([value]));
}

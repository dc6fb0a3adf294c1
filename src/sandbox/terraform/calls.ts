import { isAbsolute, normalize } from 'node:path';
import type { Block } from '../../reach/read/merge-files.js';
import { isObject } from '../json.js';
import { readTemplate, type Token, UnreadableText } from './tokens.js';

/** Makes the error for what is not understood. @param rule what the stack must do @param got what it does */
export type Refuse = (rule: string, got: string) => Error;

/** Files below the stack's folder that functions read, with those that are templates. */
export type Assets = ReadonlyMap<string, 'content' | 'template'>;

/** Finds the files that the functions in blocks read. @throws what `refuse` makes, for any other function */
export function findAssets(blocks: readonly Block[], refuse: Refuse): Assets {
  const assets = new Map<string, 'content' | 'template'>();
  for (const { kind, labels, body } of blocks) {
    const place = [kind, ...labels].join('.');
    for (const call of callsIn(body, place, refuse)) {
      if (PURE_FUNCTIONS.has(call.name)) continue;
      const file = assetOf(call);
      if (file === undefined) {
        throw refuse(
          "must call functions that read no files, or with the literal path of one in the folder of the stack that is none of Terraform's own",
          `${call.name}() in ${place}`,
        );
      }
      assets.set(file, call.name === 'templatefile' ? 'template' : (assets.get(file) ?? 'content'));
    }
  }
  return assets;
}

function callsIn(value: unknown, place: string, refuse: Refuse): Call[] {
  if (typeof value === 'string') return callsInText(value, place, refuse);
  if (Array.isArray(value)) return value.flatMap((member) => callsIn(member, place, refuse));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...callsInText(name, place, refuse),
    ...callsIn(member, place, refuse),
  ]);
}

function callsInText(text: string, place: string, refuse: Refuse): Call[] {
  if (!/[$%]\{/.test(text)) return [];
  try {
    return findCalls([readTemplate(text)]);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw refuse('must hold expressions that a sandbox reads', `${error.what} in ${place}`);
  }
}

/** Files that Terraform reads by their names: what a function reads is copied beside the configuration. */
const READ_BY_NAME = /(?:^|\/)\.terraform|\.(?:tf|tofu)[a-z]*(?:[./]|$)/i;

/** The file that a function reads, relative to the stack's folder. */
function assetOf({ name, path }: Call): string | undefined {
  if (!FILE_FUNCTIONS.has(name) || path === undefined || path === '') return undefined;
  const file = normalize(path);
  const isInside = !isAbsolute(file) && !/^\.\.?(?:\/|$)|\0/.test(file);
  return isInside && !/^~/.test(file) && !READ_BY_NAME.test(file) ? file : undefined;
}

/** Finds a call in a template file that a template must not make; `%` and `$` begin its own templates. */
export function findCallInTemplate(text: string): string | undefined {
  try {
    return findCalls([readTemplate(text)]).find(({ name }) => !PURE_FUNCTIONS.has(name))?.name;
  } catch (error) {
    if (error instanceof UnreadableText) return error.message;
    throw error;
  }
}

interface Call {
  /** The name with its namespace, unless that is `core`. */
  readonly name: string;
  /** Its first argument, where that is a literal text. */
  readonly path?: string;
}

/** Every call in tokens and in the templates of their texts; a comment or a line may precede its bracket. */
function findCalls(tokens: readonly Token[]): Call[] {
  const inner = tokens.flatMap((token) => findCalls(token.inner ?? []));
  const own = tokens.flatMap((token, index): Call[] => {
    if (token.kind !== 'name' || tokens[index + 1]?.text !== '(') return [];
    const namespace = namespaceBefore(tokens, index);
    const [first, second] = [tokens[index + 2], tokens[index + 3]];
    const isAlone = second !== undefined && [')', ','].includes(second.text);
    const path = isAlone && first?.kind === 'text' ? first.literal : undefined;
    return [
      {
        name: namespace === 'core::' ? token.text : `${namespace}${token.text}`,
        ...(path !== undefined && { path }),
      },
    ];
  });
  return [...own, ...inner];
}

function namespaceBefore(tokens: readonly Token[], index: number): string {
  if (tokens[index - 1]?.text !== '::') return '';
  return `${namespaceBefore(tokens, index - 2)}${tokens[index - 2]?.text ?? ''}::`;
}

/** Functions of Terraform and OpenTofu whose result follows from their arguments, and words that can stand before a bracket. */
const PURE_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs ceil floor log max min parseint pow signum
  chomp endswith format formatlist indent join lower regex regexall replace split startswith strcontains
  strrev substr title trim trimprefix trimspace trimsuffix upper
  alltrue anytrue chunklist coalesce coalescelist compact concat contains distinct element flatten index
  keys length list lookup map matchkeys merge one range reverse setintersection setproduct setsubtract
  setunion slice sort sum transpose values zipmap
  base64decode base64encode base64gunzip base64gzip csvdecode jsondecode jsonencode textdecodebase64
  textencodebase64 urldecode urlencode yamldecode yamlencode
  formatdate plantimestamp timeadd timecmp timestamp
  base64sha256 base64sha512 md5 sha1 sha256 sha512 uuid uuidv5
  cidrcontains cidrhost cidrnetmask cidrsubnet cidrsubnets
  can ephemeralasnull issensitive nonsensitive sensitive tobool tolist tomap tonumber toset tostring try type
  basename dirname
  any object optional set tuple
  if in`.split(/\s+/),
);

/** Functions that read the file that their first argument names. */
const FILE_FUNCTIONS: ReadonlySet<string> = new Set(
  `file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 filesha1 filesha256 filesha512
  templatefile`.split(/\s+/),
);

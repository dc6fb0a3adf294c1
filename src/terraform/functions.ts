import { posix } from 'node:path';
import type { Call } from './expressions.js';
import type { Part } from './template.js';

/** The path of the files that a call reads, relative to the stack's folder; undefined for any that may be outside. */
export function fileWithin({ name, texts }: Call): string | undefined {
  const count = name === 'fileset' ? 2 : 1;
  const paths = texts.slice(0, count).map(pathOf);
  const isLiteral = paths.length === count && !paths.includes(undefined);
  const path = FILE_FUNCTIONS.has(name) && isLiteral ? paths.join('/') : '';
  // A home folder, a drive, or another name for a folder above.
  if (path === '' || /^(?:[/~]|[A-Za-z]:)|[\\\0]/.test(path)) return undefined;
  const file = posix.normalize(path);
  return /^(?:\.\.?(?:\/|$)|~)/.test(file) ? undefined : file;
}

/** Tells whether a call reads the files that its first arguments name, and nothing else. */
export function readsFiles({ name }: Call): boolean {
  return FILE_FUNCTIONS.has(name);
}

/** The text of a path; the folder of the stack is where Terraform runs. */
function pathOf(parts: readonly Part[]): string | undefined {
  const texts = parts.map(({ literal, tokens }) => {
    const isFolder = FOLDERS.has(tokens?.map(({ text }) => text).join('') ?? '');
    return isFolder ? '.' : literal;
  });
  return texts.includes(undefined) ? undefined : texts.join('');
}

const FOLDERS: ReadonlySet<string> = new Set(['path.module', 'path.root']);

/** Tells whether the result of a call follows from its arguments. */
export function isPure({ name }: Call): boolean {
  return PURE_FUNCTIONS.has(name);
}

/** Tells whether a call reads nothing but its arguments, whatever it makes of them. */
export function readsNothing(call: Call): boolean {
  return isPure(call) || call.name === 'bcrypt' || call.name === 'rsadecrypt';
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

/** Functions that read the files that their first arguments name. */
const FILE_FUNCTIONS: ReadonlySet<string> = new Set(
  `file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 filesha1 filesha256 filesha512
  fileset templatefile`.split(/\s+/),
);

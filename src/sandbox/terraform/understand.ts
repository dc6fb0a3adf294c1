import { isAbsolute, normalize } from 'node:path';
import type { Block, StackBlocks } from '../../reach/read/merge-files.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { type Call, findCalls } from './calls.js';
import { FILE_FUNCTIONS, PURE_FUNCTIONS } from './functions.js';
import { isOwnProvider, isOwnType } from './own-types.js';
import { readTemplate, UnreadableText } from './tokens.js';

/** A stack's JSON configuration, as far as a sandbox understands it. */
export interface Understood {
  /** Blocks that are none of the others, by kind; of `terraform` only the versions. */
  readonly blocks: readonly Block[];
  /** Files below the stack's folder that functions read, with those that are templates. */
  readonly assets: ReadonlyMap<string, 'content' | 'template'>;
}

/** Makes the error for what is not understood. @param rule what the stack must do @param got what it does */
export type Refuse = (rule: string, got: string) => Error;

const KINDS = new Set(
  'terraform provider variable locals output resource data moved removed import check //'.split(
    ' ',
  ),
);

/**
 * Takes the blocks of a stack that a sandbox understands.
 *
 * @throws what `refuse` makes, for any other block, resource type, provider or function
 */
export function understand(all: StackBlocks, refuse: Refuse): Understood {
  const blocks = [...all.values()].filter(({ kind }) => kind !== '//');
  for (const block of blocks) requireKnown(block, refuse);
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
  return { blocks, assets };
}

function requireKnown(block: Block, refuse: Refuse): void {
  const { kind, labels, body } = block;
  const place = [kind, ...labels].join('.');
  const unknown = (got: string) =>
    refuse(
      'must hold blocks that a sandbox understands: without modules, actions, ephemeral values and providers of others',
      got,
    );
  if (!KINDS.has(kind)) throw unknown(place);
  if (kind === 'terraform') requireKnownSettings(body, unknown);
  if (kind === 'provider' && !isOwnProvider(labels[0] ?? '', undefined)) throw unknown(place);
  const typed = [...(kind === 'resource' || kind === 'data' ? [block] : []), ...dataOfCheck(block)];
  for (const one of typed) {
    const [type = ''] = one.labels;
    const isRemoteState = one.kind === 'data' && type === REMOTE_STATE;
    if (!isRemoteState && !isOwnType(one.kind, type))
      throw unknown(`${one.kind}.${type} in ${place}`);
  }
  const reference = referencesOf(body).find((text) => text.includes('('));
  if (reference !== undefined) throw unknown(`${reference} in ${place}`);
}

export const REMOTE_STATE = 'terraform_remote_state';

const SETTINGS = new Set(['required_version', 'required_providers', 'backend', 'cloud', '//']);

function requireKnownSettings(body: Block['body'], unknown: (got: string) => Error): void {
  const other = Object.keys(body).find((name) => !SETTINGS.has(name));
  if (other !== undefined) throw unknown(`terraform.${other}`);
  for (const [name, wanted] of Object.entries(requiredProviders(body))) {
    const source = isObject(wanted) ? wanted.source : undefined;
    const isKnown = source === undefined || typeof source === 'string';
    if (!isKnown || !isOwnProvider(name, source))
      throw unknown(`terraform.required_providers.${name}`);
  }
}

/** Merges what a `terraform` block says of providers into one object. */
export function requiredProviders(body: Block['body']): JsonObject {
  return Object.assign({}, ...toList(body.required_providers).filter(isObject)) as JsonObject;
}

/** The data sources in a `check` block, as blocks of their own. */
export function dataOfCheck({ kind, body }: Block): Block[] {
  if (kind !== 'check') return [];
  return toList(body.data)
    .flatMap(membersOf)
    .flatMap(([type, named]) =>
      toList(named)
        .flatMap(membersOf)
        .flatMap(([name, bodies]) =>
          toList(bodies).map((one) => ({
            kind: 'data',
            labels: [type, name],
            body: isObject(one) ? one : {},
          })),
        ),
    );
}

export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(toList);
  return value === undefined || value === null ? [] : [value];
}

function membersOf(value: unknown): [string, Json][] {
  return isObject(value) ? Object.entries(value).filter(([name]) => name !== '//') : [];
}

/** Arguments that hold a reference, and never a value. */
const REFERENCES = ['to', 'from', 'provider', 'depends_on'];

function referencesOf(body: Block['body']): string[] {
  const lifecycle = isObject(body.lifecycle) ? body.lifecycle : {};
  const values = [
    ...REFERENCES.map((name) => body[name]),
    lifecycle.replace_triggered_by,
    lifecycle.ignore_changes,
  ];
  return values.flatMap(toList).filter((value) => typeof value === 'string');
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

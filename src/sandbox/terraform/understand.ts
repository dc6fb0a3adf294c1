import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import type { Block, StackBlocks } from '../../reach/read/merge-files.js';
import { readExpressions } from '../../terraform/expressions.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { type Assets, findAssets, type Refuse } from './calls.js';

/** A stack's JSON configuration, as far as a sandbox understands it. */
export interface Understood {
  /** Blocks that are none of the others, by kind; of `terraform` only the versions. */
  readonly blocks: readonly Block[];
  /** Files below the stack's folder that functions read, with those that are templates. */
  readonly assets: Assets;
}

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
  return { blocks, assets: findAssets(blocks, refuse) };
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
  const reference = referencesOf(body).find((text) => !isPlain(text));
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

/** Tells whether nothing is called in a reference. */
function isPlain(reference: string): boolean {
  const { calls, unreadable } = readExpressions(`\${${reference}}`);
  return calls.length === 0 && unreadable.length === 0;
}

/** The providers that a sandbox serves, by the name that stacks call them. */
const SOURCES: Readonly<Record<string, string>> = {
  [CLOUD_PROVIDER.name]: CLOUD_PROVIDER.source,
  null: 'hashicorp/null',
};

/**
 * Reports whether a provider is one that the sandbox serves.
 *
 * @param source undefined where a stack leaves it out
 */
function isOwnProvider(name: string, source: string | undefined): boolean {
  if (!Object.hasOwn(SOURCES, name)) return false;
  const plain = source?.replace(/^registry\.(?:terraform\.io|opentofu\.org)\//, '');
  // A source of one word is a provider of HashiCorp's.
  const whole = plain?.includes('/') === false ? `hashicorp/${plain}` : plain;
  return whole === undefined || whole === SOURCES[name];
}

/** Reports whether a resource or data source is of a provider that the sandbox serves, or reaches nothing. */
function isOwnType(kind: string, type: string): boolean {
  if (kind === 'resource' && type === 'terraform_data') return true;
  const [provider = ''] = type.split('_');
  return type.includes('_') && Object.hasOwn(SOURCES, provider);
}

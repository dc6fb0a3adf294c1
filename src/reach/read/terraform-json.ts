import { createHash } from 'node:crypto';
import { bareReference, readExpressions, tokenReference } from '../../terraform/expressions.js';
import { partsOf } from '../../terraform/template.js';
import { ADDRESS, attributeOf, isIdentifier, resourceOf } from './address.js';
import { isUnknown, type Json, list, text } from './json.js';
import { mergeFiles, type StackBlocks } from './merge-files.js';

/** One resource or data source of a synthesized stack. */
export interface TerraformResource {
  /** Terraform's address: `volcenginecc_vpc_vpc.network`, `data.…` for a data source; of an instance with its module and key. */
  readonly address: string;
  readonly kind: 'resource' | 'data';
  readonly type: string;
  readonly body: Json;
  /** The source of its provider, where a state or a plan says it. */
  readonly provider?: string;
}

/** A stack's configuration, as far as Terraform would load it. */
export interface TerraformStackJson {
  readonly resources: readonly TerraformResource[];
  readonly outputs: Json;
  /** Address before by address after, of `moved` blocks. */
  readonly movedTo: ReadonlyMap<string, string>;
  /** All blocks that are neither resources nor data sources. */
  readonly blocks: StackBlocks;
  /** Files that a review does not read. */
  readonly files: readonly Unread[];
  /** Objects of other clouds that are left out, as a clause; they are taken to open nothing in this one. */
  readonly others?: string;
}

/** @throws ConnectivityError `usage.invalid` */
export function readTerraform(json: unknown): TerraformStackJson {
  return toStack(mergeFiles([{ path: '', json, isOverride: false }], 'json'), []);
}

export function toStack(all: StackBlocks, files: readonly Unread[]): TerraformStackJson {
  const blocks = [...all.values()];
  return {
    resources: blocks
      .flatMap(({ kind, labels: [type = '', name = ''], body }): TerraformResource[] => {
        if (kind !== 'resource' && kind !== 'data') return [];
        const address = `${kind === 'data' ? 'data.' : ''}${type}.${name}`;
        return [{ address, kind, type, body }];
      })
      .sort((a, b) => (a.address < b.address ? -1 : 1)),
    outputs: Object.fromEntries(
      blocks.flatMap(({ kind, labels: [name = ''], body }) =>
        kind === 'output' ? [[name, body] as const] : [],
      ),
    ),
    movedTo: new Map(
      blocks.flatMap(({ kind, body }) =>
        kind === 'moved' ? [[text(body.from), text(body.to)] as const] : [],
      ),
    ),
    blocks: new Map([...all].filter(([, { kind }]) => kind !== 'resource' && kind !== 'data')),
    files,
  };
}

export const NO_TERRAFORM = toStack(new Map(), []);

/** Makes a stack of what was found under its addresses: no configuration can name an instance. */
export function stackWith(
  resources: readonly TerraformResource[],
  output: Json = {},
): TerraformStackJson {
  const sorted = [...resources].sort((a, b) => (a.address < b.address ? -1 : 1));
  return { ...readTerraform({ output }), resources: sorted };
}

const FIRST_PART = new RegExp(`^${ADDRESS}`, 'su');

/** The addresses of resources and instances that a value's expressions refer to. */
export function references(value: unknown): string[] {
  const all = readExpressions(value).references.map(({ text }) => FIRST_PART.exec(text)?.[0] ?? '');
  return [...new Set(all)].filter((address) => address !== '');
}

/** Begins an expression for one of several resources, of which a plan does not tell which. */
export const ONE_OF = 'one_of';

/** The addresses of resources that an expression is one of; none for any other. */
export function alternatives(value: unknown): string[] {
  return text(value).startsWith(`\${${ONE_OF}(`) ? references(value) : [];
}

/** The addresses of what a resource waits for by its own word. */
export function dependencies({ depends_on }: Json): string[] {
  return list(depends_on).map((one) => bareReference(text(one))?.text ?? text(one));
}

/** Tells whether a value's expressions refer to a resource, or to one of the instances that it stands for. */
export function refersTo(value: unknown, { address, body }: TerraformResource): boolean {
  const isOfMany = 'count' in body || 'for_each' in body;
  return references(value).some(
    (one) => one === address || (isOfMany && resourceOf(one) === address),
  );
}

/** Writes references for people: `TYPE.NAME` for an identifier, `zone_name of TYPE.NAME` for another attribute, in brackets within a URL. */
export function withPlainReferences(text: string): string {
  const parts = isUnknown(text) ? partsOf(text) : undefined;
  if (parts === undefined) return text;
  return parts.reduce((before, { source, tokens = [] }) => {
    // A number or a text is what it is made of.
    const isMade = ['tonumber', 'tostring'].includes(tokens[0]?.text ?? '');
    const found = attributeOf(tokenReference(isMade ? tokens.slice(1) : tokens));
    if (found === undefined) return before + source;
    if (isIdentifier(found.attribute)) return before + found.address;
    const words = `${found.attribute} of ${found.address}`;
    return before + (before.endsWith('//') ? `<${words}>` : words);
  }, '');
}

/** Something in a stack that a review cannot read, so that any change of it needs approval. */
export interface Unread {
  /** A resource's address, a block such as `module.network`, or a file. */
  readonly where: string;
  /** The attribute or argument; absent where all of it is unread. */
  readonly attribute?: string;
  /** The reason why it is not read, as in "its type is not known". */
  readonly why: string;
  /** Equal fingerprints are the same content. */
  readonly fingerprint: string;
  /**
   * True if it reads something outside the tree, which may have changed though the fingerprint is
   * the same.
   */
  readonly isOutside?: true;
}

export function fingerprint(value: unknown): string {
  const bytes = value instanceof Uint8Array ? value : (JSON.stringify(value) ?? 'undefined');
  return createHash('sha256').update(bytes).digest('hex');
}

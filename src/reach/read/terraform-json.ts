import { createHash } from 'node:crypto';
import { ADDRESS, identifierReference, resourceOf } from './address.js';
import { type Json, text } from './json.js';
import { mergeFiles, type StackBlocks } from './merge-files.js';

/** One resource or data source of a synthesized stack. */
export interface TerraformResource {
  /** Terraform's address: `volcenginecc_vpc_vpc.network`, `data.…` for a data source; of an instance with its module and key. */
  readonly address: string;
  readonly kind: 'resource' | 'data';
  readonly type: string;
  readonly body: Json;
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
}

/** @throws ConnectivityError `review.tree` */
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

const WITHIN = new RegExp(String.raw`(?<![\w.-])${ADDRESS}`, 'gsu');

/** The addresses of resources and instances that a value's expressions refer to. */
export function references(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (one: unknown): void => {
    if (typeof one === 'string') for (const address of referencesIn(one)) found.add(address);
    else if (typeof one === 'object' && one !== null) {
      for (const [name, inner] of Object.entries(one)) [name, inner].forEach(visit);
    }
  };
  visit(value);
  return [...found];
}

function referencesIn(text: string): string[] {
  const whole = identifierReference(text);
  if (whole !== undefined) return [whole.address];
  // Without what follows the last brace, each beginning finds its end, and none is searched for twice.
  const expressions = text.slice(0, text.lastIndexOf('}') + 1).matchAll(/\$\{([^}]*)\}/g);
  return [...expressions].flatMap(([, expression = '']) => expression.match(WITHIN) ?? []);
}

/** Tells whether a value's expressions refer to a resource, or to one of the instances that it stands for. */
export function refersTo(value: unknown, { address, body }: TerraformResource): boolean {
  const isOfMany = 'count' in body || 'for_each' in body;
  return references(value).some(
    (one) => one === address || (isOfMany && resourceOf(one) === address),
  );
}

const PLAIN = new RegExp(String.raw`\$\{(?:to(?:number|string)\()?(${ADDRESS})\.(\w+)\)?\}`, 'gsu');

/** Writes references for people: `TYPE.NAME` for an identifier, `zone_name of TYPE.NAME` for another attribute, in brackets within a URL. */
export function withPlainReferences(text: string): string {
  return text.replace(PLAIN, (_, address: string, attribute: string, at: number) => {
    if (/^(?:\w+_)?(?:id|uuid)$|^zid$/.test(attribute)) return address;
    const words = `${attribute} of ${address}`;
    return text.slice(0, at).endsWith('//') ? `<${words}>` : words;
  });
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

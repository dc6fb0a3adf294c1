type Json = Readonly<Record<string, unknown>>;

/** One resource or data source of a synthesized stack. */
export interface TerraformResource {
  /** As Terraform's plan names it: `volcenginecc_vpc_vpc.network`, `data.…` for a data source. */
  readonly address: string;
  readonly kind: 'resource' | 'data';
  readonly type: string;
  readonly name: string;
  readonly body: Json;
}

/** What a review needs of a stack's `cdk.tf.json`. */
export interface TerraformStackJson {
  readonly resources: readonly TerraformResource[];
  readonly outputs: Json;
  /** Address before by address after, of `moved` blocks. */
  readonly movedTo: ReadonlyMap<string, string>;
}

export function readTerraform(json: unknown): TerraformStackJson {
  const all = object(json);
  return {
    resources: [...blocks('resource', all.resource), ...blocks('data', all.data)].sort((a, b) =>
      a.address < b.address ? -1 : 1,
    ),
    outputs: object(all.output),
    movedTo: new Map(
      list(all.moved).map((block) => [text(object(block).from), text(object(block).to)]),
    ),
  };
}

/** The addresses of resources that a value's expressions refer to. */
export function references(value: unknown): string[] {
  const text = JSON.stringify(value ?? null);
  // Without what follows the last brace, each beginning finds its end, and none is searched for twice.
  const expressions = text.slice(0, text.lastIndexOf('}') + 1).matchAll(/\$\{([^}]*)\}/g);
  const addresses = [...expressions].flatMap(([, expression = '']) => [
    ...expression.matchAll(/(?<![\w.-])(?:data\.)?[a-z]\w*\.[\w-]+/g),
  ]);
  return [...new Set(addresses.map(([address]) => address))];
}

/** Whether a value is filled in by Terraform, or is a token that nobody resolved. */
export function isUnknown(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('${') || value.includes('%{'));
}

export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function blocks(kind: 'resource' | 'data', byType: unknown): TerraformResource[] {
  return Object.entries(object(byType)).flatMap(([type, byName]) =>
    Object.entries(object(byName)).map(([name, body]) => ({
      address: `${kind === 'data' ? 'data.' : ''}${type}.${name}`,
      kind,
      type,
      name,
      body: object(body),
    })),
  );
}

/** The ways in which an attribute gets its value, in Terraform's words. */
export type Mode = 'required' | 'optional' | 'optional-computed' | 'computed';

/** The types that the provider's schema uses; `object` is a single nested object. */
export type Shape =
  | 'string'
  | 'number'
  | 'bool'
  | 'set(string)'
  | 'set(number)'
  | 'list(string)'
  | 'map(string)'
  | 'set(object)'
  | 'list(object)'
  | 'object';

/** A rule for the text of a value, checked at synth. */
export type TextRule = 'name' | 'description' | 'cidr' | 'address' | 'tag-key' | 'book-name';

/** One attribute of a resource, as the provider and its cloud treat it. */
export interface Attribute {
  readonly is: Shape;
  readonly mode: Mode;
  /**
   * The limits are the cloud's and the provider checks none of them: what breaks them is refused by
   * the apply rather than by the plan.
   */
  readonly documented?: true;
  /** A number that may have a fraction; all others are integers. */
  readonly fraction?: true;
  /** Members of a nested object. */
  readonly of?: Attributes;
  /** The provider's schema calls a nested member optional, but refuses a value without it. */
  readonly mandatory?: true;
  /** A nested member that must be given, although the provider would do without it. */
  readonly written?: true;
  /**
   * Members are written in full. What a member leaves out, the provider takes from whichever member
   * had its index before: a rule over a prefix list would get the CIDR of another rule.
   */
  readonly spelledOut?: true;
  /** The value of the attribute in a member of a spelled-out set or list that has no use for it. */
  readonly unused?: string;
  /** The reason why members of a set or list cannot be written in full. */
  readonly partly?: string;
  /**
   * A change replaces the resource. Where the cloud can fill the attribute in, leaving it out does
   * not: that asks for an update, which the cloud refuses.
   */
  readonly replaces?: true;
  /** Sent at create and never read back. */
  readonly writeOnly?: true;
  readonly sensitive?: true;
  readonly oneOf?: readonly (string | number)[];
  /** Smallest and largest number allowed. */
  readonly range?: readonly [number, number];
  /** Fewest and most bytes of text; characters where the limit is only documented. */
  readonly length?: readonly [number, number];
  /** Fewest and most members of a set or list. */
  readonly items?: readonly [number, number];
  readonly text?: TextRule;
  /** The cloud's value if the attribute is left out and the provider plans nothing. */
  readonly cloudDefault?: string | number | boolean;
  /** The provider's planned value if the attribute is left out. */
  readonly default?: string | number | boolean;
  /** The property's name in the cloud's API where it is not the attribute's name in Pascal case. */
  readonly cloudName?: string;
}

/** Length in bytes (provider) or characters (cloud). */
export function measureText({ documented }: Attribute, value: string) {
  return documented
    ? { size: [...value].length, unit: 'characters' }
    : { size: Buffer.byteLength(value), unit: 'bytes' };
}

export type Attributes = { readonly [name: string]: Attribute };

/** IAM actions, as the cloud's type registry lists them. */
export interface Actions {
  /** The actions that make, read, change and delete, sorted. */
  readonly deploy: readonly string[];
  /** The actions that search for what an interrupted deploy left. */
  readonly list: readonly string[];
}

/** The actions of one service, from their names without it. */
export function actionsOf(service: string, { deploy, list }: Actions): Actions {
  const named = (names: readonly string[]) => names.map((name) => `${service}:${name}`);
  return { deploy: named(deploy), list: named(list) };
}

/** One resource type or data source of a provider. */
export interface Row {
  readonly kind: 'resource' | 'data';
  /** Terraform's type name. */
  readonly type: string;
  /** The version of the type's state schema. */
  readonly version: number;
  /** The type name in the cloud's API; absent for types without a cloud. */
  readonly cloudType?: string;
  /** The properties that make the import id, joined with `|`. */
  readonly importId: readonly string[];
  /** Absent where the registry lists none. */
  readonly actions?: Actions;
  /** The attribute that keeps the mark, where the type has tags that mean something else, or none. */
  readonly markedBy?: 'description';
  readonly attributes: Attributes;
}

/** A type whose resources the cloud's API has. */
export type ResourceRow = Row & { readonly cloudType: string };

/** The name of an attribute's property in the cloud's API: `ipv_4_gateway_id` is `Ipv4GatewayId`. */
export function cloudName(name: string, attribute: Attribute | undefined): string {
  if (attribute?.cloudName !== undefined) return attribute.cloudName;
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

type Facts = Omit<Attribute, 'is' | 'mode' | 'mandatory' | 'written'>;

function attributesOf<const M extends Partial<Attribute>>(mode: M) {
  return <const S extends Shape, const F extends Facts = object>(is: S, facts?: F) =>
    ({ is, ...mode, ...(facts as F) }) as const;
}

/** An attribute that must be given. */
export const required = attributesOf({ mode: 'required' });

/** An attribute that may be given; otherwise the cloud fills it in. */
export const optional = attributesOf({ mode: 'optional-computed' });

/** An attribute that may be given; otherwise it stays empty. */
export const input = attributesOf({ mode: 'optional' });

/** A nested member that the schema calls optional and the provider refuses to miss. */
export const mandatory = attributesOf({ mode: 'optional-computed', mandatory: true });

/** A nested member that must be given, or the provider takes it from another member. */
export const written = attributesOf({ mode: 'optional-computed', written: true });

/** Known only after the cloud has made the resource. */
export const computed = attributesOf({ mode: 'computed' });

/** The row of a resource type: each has an `id`, and version 1 of its state schema. */
export function resource<const R extends Omit<ResourceRow, 'kind' | 'version'>>(row: R) {
  const attributes = { ...row.attributes, id: computed('string') };
  return { kind: 'resource', version: 1, ...row, attributes } as const;
}

function tags<const K extends Attribute, const V extends Attribute>(key: K, value: V) {
  return optional('set(object)', {
    documented: true,
    items: [0, 20],
    spelledOut: true,
    of: { key, value },
  });
}

const KEY = { length: [1, 128], text: 'tag-key' } as const;
const VALUE = { length: [0, 256] } as const;

/** Tags whose limits the provider leaves to the cloud. */
export const TAGS = tags(
  mandatory('string', { documented: true, ...KEY }),
  written('string', { documented: true, ...VALUE }),
);

/** Tags of which the provider refuses a value that is missing. */
export const FULL_TAGS = tags(
  mandatory('string', { documented: true, ...KEY }),
  mandatory('string', { documented: true, ...VALUE }),
);

/** Tags of which the provider checks the lengths. */
export const MEASURED_TAGS = tags(mandatory('string', KEY), written('string', VALUE));

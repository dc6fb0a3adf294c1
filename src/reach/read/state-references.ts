import { findResourceRow } from '../../cloud/table/index.js';
import { type Json, object, text } from './json.js';
import type { TerraformResource } from './terraform-json.js';

/** An instance of a state or a plan, with what is known of it. */
export interface Known {
  readonly type: string;
  /** Terraform's, with module and key. */
  readonly address: string;
  readonly values: Json;
  /** The source of its provider. */
  readonly provider?: string | undefined;
}

/** Replaces values that are the identifier of another resource by a reference to it. */
export function withReferences(all: readonly Known[]): TerraformResource[] {
  const ids = new Map(
    all.flatMap(({ type, address, values }) =>
      identifiers(type, values).map((id) => [id, `\${${address}.id}`] as const),
    ),
  );
  return all.map(({ type, address, values, provider }) => {
    const own = new Set(identifiers(type, values));
    const other = (id: string) => (own.has(id) ? undefined : ids.get(id));
    // With its identifier in it, references to it would be filled in, and lead nowhere.
    const written = Object.entries(withoutNull(values)).filter(
      ([name, value]) => !(isIdentifier(type, name) && own.has(text(value))),
    );
    const body = object(replaced(Object.fromEntries(written), other));
    return { address, kind: 'resource', type, body, ...(provider !== undefined && { provider }) };
  });
}

function identifiers(type: string, values: Json): string[] {
  const attribute = IDENTIFIERS[type];
  const row = findResourceRow(type);
  const all = row === undefined ? [] : [values.id, attribute && values[attribute]];
  return all.filter(isGiven);
}

const isGiven = (id: unknown): id is string => typeof id === 'string' && id !== '';

const isIdentifier = (type: string, name: string) => name === 'id' || name === IDENTIFIERS[type];

/** Attributes that hold an identifier of the resource itself, beside `id`. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  volcenginecc_vpc_vpc: 'vpc_id',
  volcenginecc_vpc_subnet: 'subnet_id',
  volcenginecc_vpc_security_group: 'security_group_id',
  volcenginecc_vpc_prefix_list: 'prefix_list_id',
  volcenginecc_privatelink_vpc_endpoint: 'endpoint_id',
  volcenginecc_privatelink_endpoint_service: 'service_id',
  volcenginecc_clb_clb: 'load_balancer_id',
  volcenginecc_clb_acl: 'acl_id',
  volcenginecc_fwcenter_address_book: 'group_uuid',
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(IDENTIFIERS).map(([type, name]) => [name, type] as const),
  ['source_group_id', 'volcenginecc_vpc_security_group'],
  ['server_group_id', 'volcenginecc_clb_server_group'],
  ['zid', 'volcenginecc_privatezone_private_zone'],
]);

/** Returns the type of the objects whose identifiers an attribute holds, by its name: one, or a list of them. */
export function identifierType(name: string): string | undefined {
  return TYPES.get(name.replace(/s$/, ''));
}

function withoutNull(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function replaced(value: unknown, other: (id: string) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => replaced(member, other));
  if (typeof value === 'string') return other(value) ?? value;
  const members = object(value);
  if (members !== value) return value;
  return Object.fromEntries(
    Object.entries(withoutNull(members)).map(([name, member]) => [name, replaced(member, other)]),
  );
}

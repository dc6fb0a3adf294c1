import { findResourceRow } from '../../cloud/table/index.js';
import { groupBy } from '../../lists/group-by.js';
import { notATree, readJson } from '../../terraform/tree-files.js';
import { type Json, list, object, text } from './json.js';
import { readTerraform, type TerraformStackJson } from './terraform-json.js';

/** A resource of a state or a plan, with what is known of it. */
export interface Known {
  readonly type: string;
  readonly name: string;
  readonly values: Json;
}

/**
 * Reads a state of Terraform: the file itself, or what `terraform show -json` prints of a state or a
 * plan. Identifiers of resources become references, so that it reads like a configuration.
 *
 * @throws ConnectivityError `review.tree`
 */
export function readStateFile(file: string, option: string): TerraformStackJson {
  const json = object(readJson(file, option));
  const known = fromShow(json, file, option) ?? fromState(json);
  if (known === undefined) {
    throw notATree(option, file, 'must be a state, or what `terraform show -json` prints');
  }
  return readTerraform({ resource: withReferences(known) });
}

/** Reads a state that was pulled already; an empty one has no resources. */
export function stateAsTerraform(state: unknown): TerraformStackJson {
  const known = fromState({ version: 4, resources: [], ...object(state) }) ?? [];
  return readTerraform({ resource: withReferences(known) });
}

function fromState({ version, resources }: Json): Known[] | undefined {
  return version === 4 ? managedInstances(resources) : undefined;
}

/** Reads what is not deposed of the managed resources of a state. */
export function managedInstances(resources: unknown): Known[] {
  return list(resources).flatMap((one) => {
    const { mode, type, name, instances } = object(one);
    if (mode !== 'managed') return [];
    return list(instances).flatMap((instance) => {
      const { index_key: key, attributes, deposed } = object(instance);
      if (deposed !== undefined) return [];
      return [
        { type: text(type), name: instanceName(text(name), key), values: object(attributes) },
      ];
    });
  });
}

/** Reads a state, or what a plan leads to; what only the deploy knows is a reference if the configuration has one. */
function fromShow(json: Json, file: string, option: string): Known[] | undefined {
  const { planned_values: planned, values, configuration } = json;
  if (planned === undefined && values === undefined) return undefined;
  const root = object(object(planned ?? values).root_module);
  if (list(root.child_modules).length > 0) {
    throw notATree(option, file, 'must have no modules: they are not read');
  }
  const written = new Map(
    list(object(object(configuration).root_module).resources).map((one) => {
      const { address, expressions } = object(one);
      return [text(address), object(expressions)] as const;
    }),
  );
  return list(root.resources).flatMap((one) => {
    const { address, mode, type, name, index, values: own } = object(one);
    if (mode !== 'managed') return [];
    const expressions = written.get(text(address)) ?? {};
    const body = withUnknown(object(own), expressions);
    return [{ type: text(type), name: instanceName(text(name), index), values: body }];
  });
}

/** Names an instance of a resource as Terraform names no resource: by its key. */
export function instanceName(name: string, key: unknown): string {
  return key === undefined ? name : `${name}_${text(key).replaceAll(/[^\w-]/g, '_')}`;
}

function withUnknown(values: Json, expressions: Json): Json {
  const more = Object.entries(expressions)
    .filter(([name]) => values[name] === undefined || values[name] === null)
    .map(([name, expression]) => {
      const references = list(object(expression).references).map(text);
      const full = references.filter((one) => /^[a-z]\w*\.[\w-]+\.\w+$/.test(one));
      const texts = full.map((one) => `\${${one}}`);
      return [name, name.endsWith('s') ? texts : texts[0]] as const;
    });
  return { ...Object.fromEntries(more.filter(([, value]) => value !== undefined)), ...values };
}

/**
 * Replaces values that are the identifier of another resource by a reference to it.
 *
 * @param nameOf the attribute by which a configuration refers to the resource at an address. @default - `id`
 */
export function withReferences(
  all: readonly Known[],
  nameOf: (address: string) => string = () => 'id',
): Readonly<Record<string, Readonly<Record<string, Json>>>> {
  const ids = new Map(
    all.flatMap(({ type, name, values }) => {
      const attribute = nameOf(`${type}.${name}`);
      const own = [...identifiers(type, values), values[attribute]].filter(isGiven);
      return own.map((id) => [id, `\${${type}.${name}.${attribute}}`] as const);
    }),
  );
  const body = ({ type, values }: Known) => {
    const own = new Set(identifiers(type, values));
    const others = new Map([...ids].filter(([id]) => !own.has(id)));
    // With its identifier in it, references to it would be filled in, and lead nowhere.
    const written = Object.entries(withoutNull(values)).filter(
      ([name, value]) => !(isIdentifier(type, name) && own.has(text(value))),
    );
    return object(replaced(Object.fromEntries(written), others));
  };
  return Object.fromEntries(
    [...groupBy(all, ({ type }) => type)].map(([type, alike]) => [
      type,
      Object.fromEntries(alike.map((one) => [one.name, body(one)])),
    ]),
  );
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

function withoutNull(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function replaced(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => replaced(member, ids));
  if (typeof value === 'string') return ids.get(value) ?? value;
  const members = object(value);
  if (members !== value) return value;
  return Object.fromEntries(
    Object.entries(withoutNull(members)).map(([name, member]) => [name, replaced(member, ids)]),
  );
}

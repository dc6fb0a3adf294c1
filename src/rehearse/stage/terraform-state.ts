import { findResourceRow } from '../../cloud/table/index.js';
import { type Attributes, cloudName } from '../../cloud/table/row.js';
import { usageError } from '../../codes/connectivity-error.js';
import { UnboundedFile } from '../../files/bounded-read.js';
import { readJsonFile } from '../../files/json.js';
import { decodeLinks, type Links } from '../../link/link.js';
import { list, object, text } from '../../reach/read/json.js';
import { managedInstances } from '../../reach/read/state-file.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { isObject, type Json, type JsonObject } from '../../sandbox/json.js';
import type { Direction } from '../../sandbox/surroundings.js';

/** A state of production, as a cloud and as a state of Terraform. */
export interface DeployedState {
  readonly resources: CloudState['resources'];
  /** The content of its state file. */
  readonly state: object;
}

type Fields = ReturnType<typeof object>;

/**
 * Reads what `terraform show -json` printed of a state.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readDeployedState(json: unknown, option: string): DeployedState {
  const { terraform_version: version, values } = object(json);
  if (!version || !isObject(values)) {
    throw usageError(`\`${option}\` must hold what \`terraform show -json\` prints of a state`);
  }
  const { resources: all, child_modules: modules } = object(values.root_module);
  if (list(modules).length > 0) throw usageError(`\`${option}\` must hold a state without modules`);
  const managed = managedIn(all);
  const head = { version: 4, terraform_version: version, serial: 1, lineage: 'rehearsal' };
  const outputs = object(values.outputs);
  return {
    resources: toCloud(managed),
    state: { ...head, outputs, resources: managed.map(toResource) },
  };
}

function managedIn(resources: unknown): Fields[] {
  return list(resources)
    .map(object)
    .filter(({ mode }) => mode === 'managed');
}

function toCloud(managed: readonly Fields[]): CloudState['resources'] {
  const resources: CloudState['resources'] = {};
  for (const { type, values } of managed) {
    const row = findResourceRow(text(type));
    if (row === undefined) continue;
    const properties = toProperties(row.attributes, object(values));
    const others = resources[row.cloudType];
    resources[row.cloudType] = { ...others, [text(object(values).id)]: properties };
  }
  return resources;
}

/** Everything that the cloud has said of a resource, computed attributes too. */
function toProperties(attributes: Attributes, values: Fields): JsonObject {
  const properties: JsonObject = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name];
    if (name === 'id' || value === undefined || value === null) continue;
    properties[cloudName(name, attribute)] = toProperty(value, attribute.of);
  }
  return properties;
}

function toProperty(value: unknown, of: Attributes | undefined): Json {
  if (Array.isArray(value)) return value.map((member) => toProperty(member, of));
  return isObject(value) && of !== undefined ? toProperties(of, value) : (value as Json);
}

function toResource({ type, name, provider_name, schema_version = 0, index, values }: Fields) {
  const known = object(values);
  const attributes = type === 'terraform_data' ? withTypes(known) : known;
  return {
    mode: 'managed',
    type,
    name,
    provider: `provider["${provider_name}"]`,
    instances: [{ schema_version, attributes, index_key: index }],
  };
}

/** A state keeps values of any type with their type. */
function withTypes(values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'id' || value === null ? value : { value, type: inferType(value) },
    ]),
  );
}

function inferType(value: unknown): unknown {
  if (Array.isArray(value)) return ['tuple', value.map(inferType)];
  if (!isObject(value)) return typeof value === 'boolean' ? 'bool' : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, inferType(member)] as const);
  return ['object', Object.fromEntries(members)];
}

/** A stack's Terraform state. */
interface StackState {
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The links that the stack hands to the check; undefined if it hands over none. */
  readonly links: Links | undefined;
  /** The security groups of workloads that its outputs name. */
  readonly groups: readonly NamedGroup[];
  /** The security groups of the servers behind load balancers, as its outputs name both. */
  readonly backends: ReadonlyMap<string, string>;
}

/** A security group that people attach to workloads, for one direction. */
interface NamedGroup {
  readonly direction: Direction;
  readonly id: string;
}

/** Reads a state file of Terraform's; without a file nothing is deployed. */
export function readState(file: string, stack: string): StackState {
  const state = readStateFile(file);
  const addresses = new Map(
    managedInstances(state).flatMap(({ address, values: { id } }) =>
      text(id) === '' ? [] : [[text(id), address] as const],
    ),
  );
  const outputs = object(state.outputs);
  const { connectivity, connections } = outputs;
  const encoded = [connectivity, connections]
    .map((output) => object(output).value)
    .find((value): value is string => typeof value === 'string' && value !== '');
  const links = encoded ? decodeLinks(encoded, `the outputs of ${stack}`) : undefined;
  const named = (name: string) => text(object(outputs[name]).value);
  const backends = Object.keys(outputs).flatMap((output): [string, string][] => {
    const name = output.replace(/-load-balancer-id$/, '');
    const group = named(`${name}-backend-security-group-id`);
    return group === '' || name === output ? [] : [[named(output), group]];
  });
  return { addresses, links, groups: groupsIn(outputs, links), backends: new Map(backends) };
}

/** A group that has the name of a link is for whoever uses that; others are for what is called. */
function groupsIn(
  outputs: Fields,
  { links = [], plugins = [] }: Partial<Links> = {},
): NamedGroup[] {
  const callers = links.filter(({ via }) => via === 'fixed-ip-egress').map(({ name }) => name);
  const backends = plugins.map(({ name }) => `${name}-backend`);
  return Object.entries(outputs).flatMap(([output, stated]): NamedGroup[] => {
    const [, name = ''] = /^(.+?)(?:-listed)?-security-group-id$/.exec(output) ?? [];
    const id = text(object(stated).value);
    if (name === '' || id === '' || backends.includes(name)) return [];
    return [{ direction: callers.includes(name) ? 'egress' : 'ingress', id }];
  });
}

/** A Terraform that was killed may have left a part of it. */
function readStateFile(file: string): Fields {
  try {
    return object(readJsonFile(file));
  } catch (error) {
    if (!(error instanceof UnboundedFile)) return {};
    throw usageError(`the state of a stack ${error.message} in a rehearsal`, error);
  }
}

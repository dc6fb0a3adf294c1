import { readFileSync } from 'node:fs';
import { findResourceRow } from '../../cloud/table/index.js';
import { type Attributes, cloudName } from '../../cloud/table/row.js';
import { usageError } from '../../codes/connectivity-error.js';
import { decodeLinks, type Links } from '../../link/link.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { isObject, type Json, type JsonObject, readObjects, readText } from '../../sandbox/json.js';

/** What is deployed, as a cloud and as a state of Terraform's. */
export interface DeployedState {
  readonly resources: CloudState['resources'];
  /** The state file, as JSON. */
  readonly state: JsonObject;
}

/**
 * Reads what `terraform show -json` printed of a state.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readDeployedState(json: unknown, option: string): DeployedState {
  const values = isObject(json) && isObject(json.values) ? json.values : undefined;
  const root = values !== undefined && isObject(values.root_module) ? values.root_module : {};
  if (!isObject(json) || readText(json, 'terraform_version') === '' || values === undefined) {
    throw usageError(`\`${option}\` must hold what \`terraform show -json\` prints of a state`);
  }
  if (readObjects(root, 'child_modules').length > 0) {
    throw usageError(`\`${option}\` must hold a state without modules`);
  }
  const all = readObjects(root, 'resources');
  return { resources: toCloud(all), state: toState(json, values, all) };
}

function toCloud(all: readonly JsonObject[]): CloudState['resources'] {
  const resources: Record<string, Record<string, JsonObject>> = {};
  for (const resource of all.filter(({ mode }) => mode === 'managed')) {
    const row = findResourceRow(readText(resource, 'type'));
    const values = isObject(resource.values) ? resource.values : {};
    if (row === undefined) continue;
    resources[row.cloudType] ??= {};
    Object.assign(resources[row.cloudType] ?? {}, {
      [readText(values, 'id')]: toProperties(row.attributes, values),
    });
  }
  return resources;
}

/** Everything that the cloud has said of a resource, computed attributes too. */
function toProperties(attributes: Attributes, values: JsonObject): JsonObject {
  const properties: JsonObject = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name];
    if (name === 'id' || value === undefined || value === null) continue;
    properties[cloudName(name, attribute)] = toProperty(value, attribute.of);
  }
  return properties;
}

function toProperty(value: Json, of: Attributes | undefined): Json {
  if (Array.isArray(value)) return value.map((member) => toProperty(member, of));
  return isObject(value) && of !== undefined ? toProperties(of, value) : value;
}

function toState(json: JsonObject, values: JsonObject, all: readonly JsonObject[]): JsonObject {
  const outputs = isObject(values.outputs) ? values.outputs : {};
  return {
    version: 4,
    terraform_version: readText(json, 'terraform_version'),
    serial: 1,
    lineage: 'rehearsal',
    outputs: JSON.parse(JSON.stringify(outputs)) as JsonObject,
    resources: all
      .filter(({ mode }) => mode === 'managed')
      .map((resource) => ({
        mode: 'managed',
        type: readText(resource, 'type'),
        name: readText(resource, 'name'),
        provider: `provider["${readText(resource, 'provider_name')}"]`,
        instances: [
          {
            schema_version: Number(resource.schema_version ?? 0),
            attributes: readAttributes(resource),
            ...(resource.index !== undefined && { index_key: resource.index }),
          },
        ],
      })),
  };
}

/** A state keeps values of any type with their type. */
function readAttributes({ type, values }: JsonObject): JsonObject {
  if (!isObject(values)) return {};
  if (type !== 'terraform_data') return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'id' || value === null ? value : { value, type: inferType(value) },
    ]),
  );
}

function inferType(value: Json): Json {
  if (Array.isArray(value)) return ['tuple', value.map(inferType)];
  if (!isObject(value)) return typeof value === 'boolean' ? 'bool' : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, inferType(member)] as const);
  return ['object', Object.fromEntries(members)];
}

/** What a stack's Terraform state says. */
interface StackState {
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  /** What the stack hands to the check. Undefined where it hands nothing. */
  readonly links?: Links;
}

const OUTPUTS = ['connectivity', 'connections'] as const;

/** Reads a state file of Terraform's; without a file nothing is deployed. */
export function readState(file: string, stack: string): StackState {
  const state = readObject(file);
  const addresses = readObjects(state, 'resources')
    .filter(({ mode }) => mode === 'managed')
    .flatMap((resource) => listInstances(resource));
  const outputs = isObject(state.outputs) ? state.outputs : {};
  const texts = OUTPUTS.flatMap((name) => {
    const output = outputs[name];
    const value = isObject(output) ? readText(output, 'value') : '';
    return value === '' ? [] : [value];
  });
  const [links] = texts.map((text) => decodeLinks(text, `the outputs of ${stack}`));
  return { addresses: new Map(addresses), ...(links !== undefined && { links }) };
}

function listInstances(resource: JsonObject): (readonly [string, string])[] {
  const address = `${readText(resource, 'type')}.${readText(resource, 'name')}`;
  return readObjects(resource, 'instances').flatMap((instance) => {
    const id = isObject(instance.attributes) ? readText(instance.attributes, 'id') : '';
    const key = instance.index_key;
    const index = key === undefined ? '' : `[${JSON.stringify(key)}]`;
    return id === '' ? [] : [[id, `${address}${index}`] as const];
  });
}

function readObject(file: string): JsonObject {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(content) ? content : {};
  } catch {
    return {};
  }
}

import { readFileSync } from 'node:fs';
import { decodeLinks, type Links } from '../../link/links.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../sandbox/json.js';

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
  const addresses = objectsOf(state, 'resources')
    .filter(({ mode }) => mode === 'managed')
    .flatMap((resource) => instancesOf(resource));
  const outputs = isObject(state.outputs) ? state.outputs : {};
  const texts = OUTPUTS.flatMap((name) => {
    const output = outputs[name];
    const value = isObject(output) ? textOf(output, 'value') : '';
    return value === '' ? [] : [value];
  });
  const [links] = texts.map((text) => decodeLinks(text, `the outputs of ${stack}`));
  return { addresses: new Map(addresses), ...(links !== undefined && { links }) };
}

function instancesOf(resource: JsonObject): (readonly [string, string])[] {
  const address = `${textOf(resource, 'type')}.${textOf(resource, 'name')}`;
  return objectsOf(resource, 'instances').flatMap((instance) => {
    const id = isObject(instance.attributes) ? textOf(instance.attributes, 'id') : '';
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

import { isDeepStrictEqual } from 'node:util';
import { RESOURCE_ROWS } from '../../../src/cloud/table/index.js';
import { type Json, list, object, text } from '../../../src/reach/read/json.js';
import type { CloudState } from '../../../src/sandbox/cloud/cloud-state.js';
import type { PlainStack } from '../../reach/intents/trees.js';

/** The only resource in which a mutant differs. */
export interface Difference {
  readonly type: string;
  readonly was: Json;
  readonly is: Json;
}

export function findDifference(
  base: readonly PlainStack[],
  mutant: readonly PlainStack[],
): Difference | undefined {
  for (const [at, stack] of base.entries()) {
    for (const [type, all] of Object.entries(object(stack.json.resource))) {
      for (const [name, body] of Object.entries(object(all))) {
        const other = object(object(object(mutant[at]?.json.resource)[type])[name]);
        if (!isDeepStrictEqual(body, other)) return { type, was: object(body), is: other };
      }
    }
  }
  return undefined;
}

const LABELS = ['security_group_name', 'acl_name', 'prefix_list_name', 'description'];

/** The cloud as it is after the deploy of a mutant: lists and names are the cloud's, and no reader of Terraform is asked. */
export function mutateCloud(cloud: CloudState, { type, was, is }: Difference): CloudState {
  const row = RESOURCE_ROWS.find((one) => one.type === type);
  const objects = cloud.resources[row?.cloudType ?? ''] ?? {};
  const label = LABELS.find((key) => was[key] !== undefined) ?? '';
  const found = Object.entries(objects).filter(
    ([, properties]) => label === '' || properties[pascal(label)] === was[label],
  );
  const [[id, properties] = ['', {}], ...others] = found;
  if (others.length > 0 || id === '') throw new Error(`${type}: ${found.length} objects`);
  const changed = Object.keys(was).filter((key) => !isDeepStrictEqual(was[key], is[key]));
  const values = changed.map((key) => [pascal(key), toCloud(is[key], cloud)]);
  const all = { ...objects, [id]: { ...properties, ...Object.fromEntries(values) } };
  return { ...cloud, resources: { ...cloud.resources, [row?.cloudType ?? '']: all } };
}

function toCloud(value: unknown, cloud: CloudState): never {
  if (!Array.isArray(value)) return value as never;
  return list(value).map((one) => {
    if (typeof one === 'string') return one;
    const entries = Object.entries(object(one)).map(([key, own]) => [
      pascal(key),
      key === 'prefix_list_id' ? prefixList(text(own), cloud) : own,
    ]);
    return Object.fromEntries(entries);
  }) as never;
}

/** The trees have one list of each name. */
function prefixList(reference: string, cloud: CloudState): string {
  if (!reference.startsWith('${')) return reference;
  const ids = Object.keys(cloud.resources['Volcengine::VPC::PrefixList'] ?? {});
  if (ids.length !== 1) throw new Error(`${ids.length} prefix lists`);
  return ids[0] ?? '';
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

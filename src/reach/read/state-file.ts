import * as z from 'zod';
import { findResourceRow } from '../../cloud/table/index.js';
import { isObject } from '../../files/json.js';
import { notATree, readJson } from '../../terraform/tree-files.js';
import { identifierReference, resourceOf, toAddress } from './address.js';
import { type Json, list, object, text } from './json.js';
import { type Known, withReferences } from './state-references.js';
import { fingerprint, stackWith, type TerraformStackJson } from './terraform-json.js';

/** Objects of a state or a plan. */
interface Found {
  readonly known: readonly Known[];
  /** Objects that a replacement left and no deploy has removed yet. */
  readonly deposed: readonly string[];
}

/**
 * Reads a state of Terraform: the file itself, or what `terraform show -json` prints of a state or a
 * plan. Identifiers of resources become references, so that it reads like a configuration.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readStateFile(file: string, option: string): TerraformStackJson {
  const json = object(readJson(file, option));
  const refuse = (rule: string) => notATree(option, file, rule);
  const found = fromShow(json, refuse) ?? fromState(json, refuse);
  return toFound(found);
}

/**
 * Reads a state that was pulled already; an empty one has no resources.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function stateAsTerraform(state: unknown): TerraformStackJson {
  return toFound(fromState({ version: 4, ...object(state) }, notPulled));
}

/** Makes the error for a state that breaks a rule. */
type Refuse = (rule: string) => Error;

const notPulled: Refuse = (rule) => notATree('terraform state pull', 'the state', rule);

function toFound({ known, deposed }: Found): TerraformStackJson {
  const why = 'a replacement left the object, and no deploy has removed it yet';
  const files = deposed.map((where) => ({
    where,
    why,
    fingerprint: fingerprint(where),
    isOutside: true as const,
  }));
  return { ...stackWith(withReferences(known)), files };
}

/** Reads what is not deposed of the managed resources of a state. @throws ConnectivityError `usage.invalid` */
export function managedInstances(state: Json): readonly Known[] {
  return fromState({ version: 4, ...state }, notPulled).known;
}

const resources = z.array(
  z.looseObject({
    module: z.string().optional(),
    mode: z.string(),
    type: z.string(),
    name: z.string(),
    instances: z.array(
      z.looseObject({
        index_key: z.union([z.string(), z.number()]).nullish(),
        attributes: z.unknown().optional(),
        deposed: z.string().optional(),
      }),
    ),
  }),
);

function fromState({ version, resources: written }: Json, refuse: Refuse): Found {
  if (version !== 4) throw refuse('must be a state, or what `terraform show -json` prints');
  const read = resources.safeParse(written ?? []);
  if (!read.success)
    throw refuse('must hold resources with their instances, as Terraform writes them');
  const all = read.data.filter(({ mode }) => mode === 'managed');
  return toKnown(
    all.flatMap(({ instances, ...resource }) =>
      instances.map(({ index_key: key, attributes: values, deposed }) => {
        const address = toAddress({ ...resource, key });
        return { type: resource.type, address, values, isDeposed: deposed !== undefined };
      }),
    ),
    refuse,
  );
}

interface Written {
  readonly type: string;
  readonly address: string;
  readonly values: unknown;
  readonly isDeposed: boolean;
}

/** Tells objects in force from others; what is not read, or there twice, would be absent or another. */
function toKnown(all: readonly Written[], refuse: Refuse): Found {
  const [left, there] = [
    all.filter(({ isDeposed }) => isDeposed),
    all.filter(({ isDeposed }) => !isDeposed),
  ];
  const seen = new Set<string>();
  const known = there.map(({ type, address, values }) => {
    if (!isObject(values)) throw refuse(`must hold the attributes of \`${address}\``);
    if (seen.has(address)) throw refuse(`must hold \`${address}\` once only`);
    seen.add(address);
    return { type, address, values };
  });
  const deposed = left.filter(({ type }) => findResourceRow(type) !== undefined);
  return { known, deposed: deposed.map(({ address }) => address) };
}

/** Reads a state, or what a plan leads to; what only the deploy knows is a reference if the configuration has one. */
function fromShow(json: Json, refuse: Refuse): Found | undefined {
  const { planned_values: planned, values, configuration } = json;
  if (planned === undefined && values === undefined) return undefined;
  const root = object(object(planned ?? values).root_module);
  if (planned !== undefined && list(root.child_modules).length > 0) {
    throw refuse('must have no modules: those of a plan are not read');
  }
  const changes = byAddress(json.resource_changes);
  const written = byAddress(object(object(configuration).root_module).resources);
  const fill = (own: Json, address: string) => {
    const expressions = object(written.get(resourceOf(address))?.expressions);
    return withUnknown(
      own,
      expressions,
      object(object(changes.get(address)?.change).after_unknown),
    );
  };
  const read = resourcesIn(root, refuse).flatMap(
    ({ address, mode, type, values: own, deposed_key: deposed }) => {
      if (mode !== 'managed') return [];
      const isWhole = planned === undefined || !isObject(own);
      const body = isWhole ? own : fill(own, text(address));
      return [
        {
          type: text(type),
          address: text(address),
          values: body,
          isDeposed: deposed !== undefined,
        },
      ];
    },
  );
  return toKnown(read, refuse);
}

function byAddress(all: unknown): ReadonlyMap<string, Json> {
  return new Map(list(all).map((one) => [text(object(one).address), object(one)]));
}

/** Lists the resources of a module and of all within it, each under its whole address. */
function resourcesIn({ resources: own, child_modules: inner }: Json, refuse: Refuse): Json[] {
  const all = list(own).map(object);
  if (all.some(({ address, type }) => text(address) === '' || text(type) === '')) {
    throw refuse('must hold resources with their addresses, as Terraform prints them');
  }
  return [...all, ...list(inner).flatMap((one) => resourcesIn(object(one), refuse))];
}

/** Puts an expression for whatever only the deploy knows: left out, it would be none. */
function withUnknown(values: Json, expressions: Json, unknown: Json): Json {
  const open = Object.keys({ ...expressions, ...unknown }).filter(
    (name) => values[name] === undefined || values[name] === null,
  );
  const more = open.flatMap((name): [string, unknown][] => {
    const references = list(object(expressions[name]).references).map(text);
    const texts = references.map((one) => `\${${one}}`).filter(identifierReference);
    const isUnknown = unknown[name] !== undefined && unknown[name] !== false;
    if (texts.length === 0) return isUnknown ? [[name, '${unknown}']] : [];
    return [[name, name.endsWith('s') ? texts : texts[0]]];
  });
  return { ...values, ...Object.fromEntries(more) };
}

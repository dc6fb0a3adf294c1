import * as z from 'zod';
import { findResourceRow } from '../../cloud/table/index.js';
import { isObject } from '../../files/json.js';
import { planSchema, type StateObject } from '../../terraform/plan-json.js';
import { notATree, readJson } from '../../terraform/tree-files.js';
import { toAddress } from './address.js';
import { type Json, object } from './json.js';
import { objectsIn } from './plan/parse-plan.js';
import { providerSource } from './providers.js';
import { type Known, withReferences } from './state-references.js';
import { fingerprint, stackWith, type TerraformStackJson } from './terraform-json.js';

/** Objects of a state. */
interface Found {
  readonly known: readonly Known[];
  /** Objects that a replacement left and no deploy has removed yet. */
  readonly deposed: readonly string[];
}

/**
 * Reads a state of Terraform: the file itself, or what `terraform show -json` prints of it. Identifiers of
 * resources become references, so that it reads like a configuration.
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
    provider: z.string().default(''),
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
        const { type, provider } = resource;
        return { type, provider, address, values, isDeposed: deposed !== undefined };
      }),
    ),
    refuse,
  );
}

interface Written extends Pick<StateObject, 'type' | 'address'> {
  readonly provider: string;
  readonly values?: unknown;
  readonly isDeposed: boolean;
}

/** Tells objects in force from others; what is not read, or there twice, would be absent or another. */
function toKnown(all: readonly Written[], refuse: Refuse): Found {
  const [left, there] = [
    all.filter(({ isDeposed }) => isDeposed),
    all.filter(({ isDeposed }) => !isDeposed),
  ];
  const seen = new Set<string>();
  const known = there.map(({ type, provider, address, values }) => {
    if (!isObject(values)) throw refuse(`must hold the attributes of \`${address}\``);
    if (seen.has(address)) throw refuse(`must hold \`${address}\` once only`);
    seen.add(address);
    return { type, address, values, provider: providerSource(provider) };
  });
  const deposed = left.filter(({ type }) => findResourceRow(type) !== undefined);
  return { known, deposed: deposed.map(({ address }) => address) };
}

/** Reads what `terraform show -json` prints of a state. */
function fromShow(json: Json, refuse: Refuse): Found | undefined {
  if (json.planned_values !== undefined) {
    throw refuse('must be a state: a plan is read with `--plan`');
  }
  if (json.values === undefined) return undefined;
  // A plan has the state before it in the same form.
  const read = planSchema.shape.prior_state.safeParse(json);
  if (!read.success) {
    throw refuse('must hold resources with their addresses, as Terraform prints them');
  }
  const all = objectsIn(read.data?.values?.root_module).filter(({ mode }) => mode === 'managed');
  return toKnown(
    all.map(({ provider_name: provider, deposed_key: deposed, ...one }) => {
      return { ...one, provider, isDeposed: deposed !== undefined };
    }),
    refuse,
  );
}

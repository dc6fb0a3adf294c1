import { isDeepStrictEqual } from 'node:util';
import { findResourceRow } from '../../../cloud/table/index.js';
import { isMarked, type PlanJson, type StateObject } from '../../../terraform/plan-json.js';
import { type Json, object } from '../json.js';
import { isOfOtherCloud, providerSource, withoutOtherClouds } from '../providers.js';
import { type Known, withReferences } from '../state-references.js';
import { fingerprint, stackWith, type TerraformStackJson } from '../terraform-json.js';
import { Filler, unknownText } from './fill.js';
import { type Instance, objectsIn } from './parse-plan.js';
import { Scopes } from './scopes.js';
import { Sources } from './sources.js';

/** A stack before and after a plan. */
export interface PlanStacks {
  /** As the deploy leaves it. */
  readonly left: TerraformStackJson;
  /** As the plan found it in the cloud; undefined where Terraform manages nothing yet. */
  readonly found: TerraformStackJson | undefined;
  /** As the last deploy left it, where others have changed it since. */
  readonly deployed: TerraformStackJson | undefined;
}

/** Reads the stack before and after a plan, as Terraform would be written that makes it. */
export function planStacks(plan: PlanJson): PlanStacks {
  const scopes = new Scopes(plan);
  const prior = managed(objectsIn(plan.prior_state?.values?.root_module));
  const found = prior.map((one) => foundObject(one, scopes));
  const drifted = new Map(plan.resource_drift.map((one) => [one.address, one]));
  const deployed = [
    ...prior.filter(({ address }) => !drifted.has(address)),
    ...[...drifted.values()].map(({ change, ...one }) => ({ ...one, values: change.before })),
  ].map((one) => foundObject(one, scopes));
  return {
    left: leftStack(plan, scopes),
    found: prior.length === 0 ? undefined : toStack(found, prior, outputsOf(plan.prior_state)),
    deployed: drifted.size === 0 ? undefined : toStack(deployed, prior, []),
  };
}

/** Reads the stack as a plan leaves it; what only the deploy knows is a reference, or a text that says what it may be. */
function leftStack(plan: PlanJson, scopes: Scopes): TerraformStackJson {
  const sources = new Sources(scopes);
  const objects = [...scopes.instances.values()].filter(({ mode }) => mode === 'managed');
  const known = objects.map((one) => ({
    ...{ type: one.type, address: one.address },
    values: { ...valuesLeft(one, scopes, sources), ...programsOf(one.address, scopes) },
  }));
  const stack = toStack(
    known,
    managed(objectsIn(plan.planned_values?.root_module)),
    outputsLeft(plan, scopes, sources),
  );
  const forgotten = objects.filter(({ change }) => change?.actions.includes('forget'));
  const files = [
    ...forgotten.map(({ address }) => ({ where: address, why: FORGOTTEN })),
    ...plan.deferred_changes.slice(0, 1).map(() => ({ where: 'the plan', why: DEFERRED })),
  ].map((one) => ({ ...one, fingerprint: fingerprint(one), isOutside: true as const }));
  return { ...stack, files };
}

const FORGOTTEN = 'Terraform lets go of it and leaves it as it is';
const DEFERRED = 'it leaves objects for another plan';

function valuesLeft(instance: Instance, scopes: Scopes, sources: Sources): Json {
  const { address, type, values, unknown, sensitive, change } = instance;
  const { place, resource } = scopes.written(address) ?? {};
  const filler = place && new Filler(sources, place);
  const names = Object.keys({ ...values, ...unknown }).filter(isKept(type, resource?.expressions));
  const isNew = change?.actions.includes('create') === true;
  const attributes = findResourceRow(type)?.attributes ?? {};
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const where = `${name} of ${address}`;
      if (isMarked(sensitive[name])) return [[name, unknownText(`${where}, secret`, [])]];
      const value = values[name];
      if (!isMarked(unknown[name])) return [[name, value]];
      const isList = /^(?:set|list)/.test(attributes[name]?.is ?? '');
      const written = resource?.expressions[name];
      const part = { value, unknown: unknown[name], name, where, isList };
      const filled = written === undefined ? undefined : filler?.fill(part, written);
      // Terraform leaves what nobody writes as it is, and the cloud fills in what is new.
      const there = filled ?? (isNew ? undefined : change?.before?.[name]);
      return there === undefined ? [] : [[name, there]];
    }),
  );
}

/** Reads an object that is there; a secret is told from another one, and is in no text. */
function foundObject(
  { address, type, values, sensitive_values: secret }: Found,
  scopes: Scopes,
): Known {
  const left = scopes.instances.get(address);
  const { resource } = scopes.written(address) ?? {};
  const names = Object.keys(values ?? {}).filter(isKept(type, resource?.expressions));
  const read = names.map((name) => {
    const value = values?.[name];
    if (!isMarked(object(secret)[name])) return [name, value];
    const isSame = isDeepStrictEqual(left?.values[name], value) && !isMarked(left?.unknown[name]);
    const where = `${name} of ${address}, secret${isSame ? '' : ', as it was'}`;
    return [name, unknownText(where, [])];
  });
  return { type, address, values: { ...Object.fromEntries(read), ...programsOf(address, scopes) } };
}

type Found = Pick<StateObject, 'address' | 'type' | 'values'> &
  Partial<Pick<StateObject, 'sensitive_values'>>;

/** Tells whether an attribute is read: of the table, or written; what else a provider fills in says nothing. */
function isKept(type: string, written: Json | undefined): (name: string) => boolean {
  const attributes = findResourceRow(type)?.attributes;
  return (name) =>
    written === undefined
      ? true
      : Object.hasOwn(written, name) || Object.hasOwn(attributes ?? {}, name);
}

/** The programs that Terraform runs for an object, as JSON has them. */
function programsOf(address: string, scopes: Scopes): Json {
  const { provisioners = [] } = scopes.written(address)?.resource ?? {};
  if (provisioners.length === 0) return {};
  return {
    provisioner: provisioners.map(({ type, expressions }) => {
      const read = Object.entries(expressions).map(([name, expression]) => {
        const { constant_value: value = unknownText(`${name} of ${address}`, []) } =
          object(expression);
        return [name, value];
      });
      return { [type]: [Object.fromEntries(read)] };
    }),
  };
}

function outputsLeft(plan: PlanJson, scopes: Scopes, sources: Sources): Known[] {
  const scope = scopes.at('');
  const filler = scope && new Filler(sources, { scope, key: '' });
  const known = new Map(
    outputsOf({ values: plan.planned_values }).map((one) => [one.address, one]),
  );
  return Object.entries(scope?.module.outputs ?? {}).map(([name, { expression }]) => {
    const there = known.get(name);
    if (there !== undefined) return there;
    const part = { value: undefined, unknown: true, name, where: `output ${name}`, isList: false };
    return { type: OUTPUT, address: name, values: { value: filler?.fill(part, expression) } };
  });
}

const OUTPUT = 'output';

function outputsOf(state: PlanJson['prior_state']): Known[] {
  return Object.entries(state?.values?.outputs ?? {}).flatMap(([address, { value }]) =>
    value === undefined ? [] : [{ type: OUTPUT, address, values: { value } }],
  );
}

function managed(objects: readonly StateObject[]): StateObject[] {
  return objects.filter(
    ({ mode, deposed_key: deposed }) => mode === 'managed' && deposed === undefined,
  );
}

/** Makes a stack of objects and outputs; the providers are those of the objects that are not of other clouds. */
function toStack(
  known: readonly Known[],
  objects: readonly StateObject[],
  outputs: readonly Known[],
): TerraformStackJson {
  const sources = new Map(objects.map((one) => [one.address, providerSource(one.provider_name)]));
  const made = known.map((one) => ({ ...one, provider: sources.get(one.address) }));
  const read = withReferences([...made, ...outputs]);
  const named = [...sources.values()].filter(
    (source) => source !== '' && source !== BUILT_IN && !isOfOtherCloud(source),
  );
  const required = [...new Set(named)]
    .sort()
    .map((source) => [source.split('/').at(-1), { source }]);
  const body = { required_providers: Object.fromEntries(required) };
  const isOutput = ({ type }: { readonly type: string }) => type === OUTPUT;
  return {
    ...withoutOtherClouds(stackWith(read.filter((one) => !isOutput(one)))),
    outputs: Object.fromEntries(read.filter(isOutput).map((one) => [one.address, one.body])),
    blocks: new Map([['terraform', { kind: 'terraform', labels: [], body }]]),
  };
}

/** The provider of `terraform_data`. */
const BUILT_IN = 'terraform.io/builtin/terraform';

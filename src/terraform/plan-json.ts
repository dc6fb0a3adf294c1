import * as z from 'zod';
import { isObject } from '../files/json.js';

const values = z.record(z.string(), z.unknown());

/** One change of an object, as far as it is read here. */
const resourceChange = z.object({
  address: z.string(),
  previous_address: z.string().optional(),
  module_address: z.string().optional(),
  mode: z.string(),
  type: z.string(),
  name: z.string().default(''),
  index: z.union([z.string(), z.number()]).optional(),
  deposed: z.string().optional(),
  change: z.object({
    actions: z.array(z.string()),
    /** As the deploy finds it. */
    before: values.nullish(),
    /** `true` in the place of whatever is secret, or all of it. */
    before_sensitive: z.union([z.boolean(), values]).nullish(),
    after: values.nullish(),
    /** `true` in the place of whatever is known after the apply only. */
    after_unknown: values.nullish(),
    after_sensitive: z.union([z.boolean(), values]).nullish(),
    /** An object that exists and comes under Terraform. */
    importing: z.unknown().optional(),
    /** Paths of the attributes that make it a replacement. */
    replace_paths: z.array(z.array(z.unknown())).optional(),
  }),
});

/** Expressions as a plan shows them: what is written, if that is JSON, and all that it refers to. */
const expressions = z.record(z.string(), z.unknown()).default({});

/** A resource as it is written. */
const configuredResource = z.object({
  address: z.string(),
  provider_config_key: z.string().default(''),
  expressions: values.optional(),
  for_each_expression: z.unknown().optional(),
  provisioners: z.array(z.object({ type: z.string(), expressions })).default([]),
});

/** A module as it is written. */
export interface ConfiguredModule {
  readonly resources: readonly z.infer<typeof configuredResource>[];
  readonly module_calls: Readonly<Record<string, ModuleCall>>;
  readonly outputs: Readonly<Record<string, { readonly expression?: unknown }>>;
  readonly variables: Readonly<Record<string, { readonly default?: unknown }>>;
}

export interface ModuleCall {
  readonly expressions: Readonly<Record<string, unknown>>;
  readonly for_each_expression?: unknown;
  readonly module: ConfiguredModule;
}

const configuredModule: z.ZodType<ConfiguredModule> = z.object({
  resources: z.array(configuredResource).default([]),
  module_calls: z
    .record(
      z.string(),
      z.object({
        expressions,
        for_each_expression: z.unknown().optional(),
        module: z.lazy(() => configuredModule).default(() => NO_MODULE),
      }),
    )
    .default({}),
  outputs: z.record(z.string(), z.object({ expression: z.unknown().optional() })).default({}),
  variables: z.record(z.string(), z.object({ default: z.unknown().optional() })).default({}),
});

const NO_MODULE: ConfiguredModule = {
  ...{ resources: [], module_calls: {}, outputs: {}, variables: {} },
};

const stateResource = z.object({
  address: z.string().min(1),
  mode: z.string().default('managed'),
  type: z.string().min(1),
  deposed_key: z.string().optional(),
  provider_name: z.string().default(''),
  values: values.nullish(),
  /** `true` in the place of whatever is secret. */
  sensitive_values: values.optional(),
});

/** An object of a state, or as a plan leaves it. */
export type StateObject = Readonly<z.infer<typeof stateResource>>;

/** An instance of a module, with all within it. */
export interface ModuleValues {
  readonly resources: readonly StateObject[];
  readonly child_modules: readonly ModuleValues[];
}

const moduleValues: z.ZodType<ModuleValues> = z.object({
  resources: z.array(stateResource).default([]),
  child_modules: z.array(z.lazy(() => moduleValues)).default([]),
});

const stateValues = z.object({
  outputs: z.record(z.string(), z.object({ value: z.unknown().optional() })).default({}),
  root_module: moduleValues.optional(),
});

/**
 * The output of `terraform show -json` and `tofu show -json` for a plan, format version 1. Paths that this
 * package does not read are left out.
 */
export const planSchema = z.object({
  errored: z.boolean().optional(),
  planned_values: stateValues.optional(),
  resource_changes: z.array(resourceChange).default([]),
  /** Changes that others made since the state was written. */
  resource_drift: z.array(resourceChange).default([]),
  /** Objects that the plan leaves for a later one. */
  deferred_changes: z.array(z.unknown()).default([]),
  prior_state: z.object({ values: stateValues.optional() }).optional(),
  configuration: z.object({
    provider_config: z
      .record(
        z.string(),
        z.object({ full_name: z.string().optional(), expressions: values.optional() }),
      )
      .default({}),
    root_module: configuredModule,
  }),
});

export type PlanJson = z.infer<typeof planSchema>;
export type ResourceChange = PlanJson['resource_changes'][number];

/** Tells whether `true` is in a value, at any depth: something is unknown, or secret. */
export function isMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isMarked);
  return value === true || (isObject(value) && Object.values(value).some(isMarked));
}

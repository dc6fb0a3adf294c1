import * as z from 'zod';

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

const configuredResource = z.object({
  address: z.string(),
  provider_config_key: z.string(),
  expressions: values.optional(),
});

const stateResource = z.object({
  address: z.string(),
  type: z.string(),
  deposed_key: z.string().optional(),
  values: values.nullish(),
});

/**
 * The output of `terraform show -json` and `tofu show -json` for a plan, format version 1. Paths that this
 * package does not read are left out.
 */
export const planSchema = z.object({
  errored: z.boolean().optional(),
  resource_changes: z.array(resourceChange).default([]),
  prior_state: z
    .object({
      values: z
        .object({
          root_module: z.object({ resources: z.array(stateResource).default([]) }).optional(),
        })
        .optional(),
    })
    .optional(),
  configuration: z.object({
    provider_config: z
      .record(
        z.string(),
        z.object({ full_name: z.string().optional(), expressions: values.optional() }),
      )
      .default({}),
    root_module: z.object({
      resources: z.array(configuredResource).default([]),
      module_calls: values.default({}),
      variables: z.record(z.string(), z.object({ default: z.unknown().optional() })).default({}),
    }),
  }),
});

export type PlanJson = z.infer<typeof planSchema>;

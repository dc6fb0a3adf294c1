import * as z from 'zod';
import { type Row, TABLE } from '../cloud/table/index.js';

type CloudRow = Row & { readonly cloudType: string };

/** A resource that a plan would create. */
export interface PlannedCreate {
  readonly address: string;
  readonly row: CloudRow;
  /** By attribute; what is known after the apply only is absent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the state holds an object at this address, which the plan would replace. */
  readonly replaces: boolean;
  /** Which of the providers makes it. */
  readonly provider: string;
}

export interface StackPlan {
  readonly creates: readonly PlannedCreate[];
  /** The identifiers in the state, by the type's name in the cloud. */
  readonly managed: ReadonlyMap<string, ReadonlySet<string>>;
  /** The provider blocks, by the key that resources name. */
  readonly providers: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const unknownValues = z.record(z.string(), z.unknown());

const planSchema = z.object({
  resource_changes: z
    .array(
      z.object({
        address: z.string(),
        mode: z.string(),
        type: z.string(),
        deposed: z.string().optional(),
        change: z.object({
          actions: z.array(z.string()),
          after: unknownValues.nullish(),
          after_unknown: unknownValues.nullish(),
        }),
      }),
    )
    .default([]),
  prior_state: z
    .object({
      values: z
        .object({
          root_module: z
            .object({
              resources: z
                .array(z.object({ type: z.string(), values: unknownValues.nullish() }))
                .default([]),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  configuration: z.object({
    provider_config: z
      .record(z.string(), z.object({ expressions: unknownValues.optional() }))
      .default({}),
    root_module: z.object({
      resources: z
        .array(z.object({ address: z.string(), provider_config_key: z.string() }))
        .default([]),
    }),
  }),
});

/** Reads what `terraform show -json` says of a plan. */
export function readPlan(text: string): StackPlan {
  const plan = planSchema.parse(JSON.parse(text));
  const { provider_config: blocks, root_module: root } = plan.configuration;
  const providerOf = new Map(
    root.resources.map(({ address, provider_config_key: key }) => [address, key]),
  );
  const creates = plan.resource_changes.flatMap(({ address, mode, type, deposed, change }) => {
    const row = cloudRow(type);
    const { actions, after, after_unknown: unknown } = change;
    if (mode !== 'managed' || deposed !== undefined || row === undefined) return [];
    if (!actions.includes('create')) return [];
    const values = knownValues(after ?? {}, unknown ?? {});
    const provider = providerOf.get(address) ?? '';
    return [{ address, row, values, replaces: actions.includes('delete'), provider }];
  });
  return {
    creates,
    managed: managedIdentifiers(plan.prior_state?.values?.root_module?.resources ?? []),
    providers: new Map(
      Object.entries(blocks).map(([key, { expressions }]) => [key, constants(expressions ?? {})]),
    ),
  };
}

function cloudRow(type: string): CloudRow | undefined {
  const rows: readonly Row[] = TABLE;
  const row = rows.find((one) => one.kind === 'resource' && one.type === type);
  return row?.cloudType === undefined ? undefined : { ...row, cloudType: row.cloudType };
}

function managedIdentifiers(
  resources: readonly { readonly type: string; readonly values?: object | null | undefined }[],
): Map<string, Set<string>> {
  const managed = new Map<string, Set<string>>();
  for (const { type, values } of resources) {
    const cloudType = cloudRow(type)?.cloudType;
    if (cloudType === undefined || !values || !('id' in values)) continue;
    const ids = managed.get(cloudType) ?? new Set();
    managed.set(cloudType, ids.add(String(values.id)));
  }
  return managed;
}

/** An attribute with anything unknown in it is left out whole: it cannot be compared yet. */
function knownValues(after: Readonly<Record<string, unknown>>, unknown: object) {
  const unknowns = new Map(Object.entries(unknown));
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => value !== null && !holdsTrue(unknowns.get(name)),
    ),
  );
}

function holdsTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === true;
  return Object.values(value).some(holdsTrue);
}

/** `{ region: { constant_value: "…" } }`, and blocks within blocks alike, as plain values. */
function constants(expressions: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(expressions).map(([name, expression]) => [name, constant(expression)]),
  );
}

function constant(expression: unknown): unknown {
  if (Array.isArray(expression)) return constant(expression[0]);
  if (typeof expression !== 'object' || expression === null) return undefined;
  if ('constant_value' in expression) return expression.constant_value;
  return constants(expression as Readonly<Record<string, unknown>>);
}

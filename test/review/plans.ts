import type { AccessRule } from '../../src/access/access-rule.js';
import { readPlan } from '../../src/review/plan/review-plan.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { review } from '../../src/review/review.js';
import { stackOf, TODAY, treeOf } from './trees.js';

type Json = Record<string, unknown>;

/** The facts of a plan on one resource beside what is written of it. */
export interface Planned {
  readonly actions?: readonly string[];
  /** In the cloud; by default what will be, or nothing where it is created. */
  readonly before?: Json;
  readonly after?: Json;
  readonly unknown?: Json;
  readonly sensitive?: Json | boolean;
  readonly importing?: Json;
  readonly replacePaths?: readonly (readonly unknown[])[];
}

/** The output of `terraform show -json` for a plan of these resources, as Terraform 1.11 lays it out. */
export function planText(
  resource: Record<string, Record<string, Json>>,
  planned: Record<string, Planned> = {},
  more: Json = {},
): string {
  const all = Object.entries(resource).flatMap(([type, named]) =>
    Object.entries(named).map(([name, body]) => ({ address: `${type}.${name}`, type, name, body })),
  );
  return JSON.stringify({
    format_version: '1.2',
    resource_changes: all.map(({ address, type, name, body }) => ({
      address,
      mode: 'managed',
      type,
      name,
      change: changeOf(body, planned[address] ?? {}),
    })),
    configuration: {
      provider_config: {},
      root_module: { resources: all.map(configured) },
    },
    errored: false,
    ...more,
  });
}

function changeOf(body: Json, planned: Planned) {
  const { actions = ['create'], after, unknown = {}, sensitive = {}, replacePaths } = planned;
  const { before, importing } = planned;
  const isNew = actions[0] === 'create' && actions.length === 1;
  return {
    actions,
    before: isNew ? null : { ...body, ...after, ...before },
    before_sensitive: sensitive,
    after: actions.includes('delete') && actions.length === 1 ? null : { ...body, ...after },
    after_unknown: unknown,
    after_sensitive: sensitive,
    ...(importing !== undefined && { importing }),
    ...(replacePaths !== undefined && { replace_paths: replacePaths }),
  };
}

function configured({ address, type, body }: { address: string; type: string; body: Json }) {
  const expressions = Object.entries(body).map(([name, value]) => [
    name,
    { constant_value: value },
  ]);
  return {
    address,
    provider_config_key: type.split('_', 1)[0],
    expressions: Object.fromEntries(expressions),
  };
}

/** The review of two states of Terraform, with a plan of the second. */
export function reviewWithPlan(
  base: Json,
  head: Json,
  text: string,
  rules: readonly AccessRule[] = [],
  rulesBefore = rules,
): ReviewReport {
  const after = stackOf(rules, head);
  const plans = new Map([[after.name, readPlan(text, after, 'plan.json')]]);
  return review(treeOf(stackOf(rulesBefore, base)), treeOf(after), TODAY, { plans });
}

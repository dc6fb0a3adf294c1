import { RESOURCE_ROWS } from '../../cloud/table/index.js';
import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { type Attributes, cloudName, type Row } from '../../cloud/table/row.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { type Change, findChanges } from '../../review/changes.js';
import { readFlows } from '../../review/effective-rules/effective-access.js';
import { readTerraform } from '../../review/read/terraform-json.js';
import { type ReviewedRule, reviewedRule } from '../../review/reviewed-rule.js';
import { RuleLookup } from '../../review/sets/lookup.js';
import { combine } from '../../review/sets/ranges.js';
import { directionKey, type Region, toRegion } from '../../review/sets/region.js';
import { EVERYTHING, intersect } from '../../review/sets/services.js';
import { nameFlows } from '../../review/stacks/reviewed-trees.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { isObject, type Json, type JsonObject, readTexts } from '../../sandbox/json.js';
import type { RehearsedTree } from '../read-trees.js';

/** What one state of the cloud opens, by the names that access rules have for it. */
export interface CloudAccess {
  readonly rules: readonly ReviewedRule[];
  readonly region: Region;
}

/** What is open in the middle of a change, and what is closed. */
export interface StepAccess {
  /** Open now, and neither before the change nor after it. */
  readonly transient: readonly Change[];
  /** Open before the change and after it, and not now. */
  readonly interrupted: readonly Change[];
  /** Against the step before. */
  readonly changed: readonly Change[];
}

/**
 * What each state of a cloud opens. A group or a load balancer is called as the rules of the trees
 * that speak of the same packets, in all states alike; what no rule speaks of keeps its identifier.
 * Of a private link only accounts and connections count, which are all or nothing: the ports are those
 * of its listeners, each of which has rules of its own.
 */
export function readAccess(
  states: readonly CloudState[],
  trees: readonly RehearsedTree[],
): CloudAccess[] {
  const stated = new RuleLookup(trees.flatMap(statedRules), directionKey);
  const attached = new Set([states[0], states.at(-1)].flatMap(attachedGroups));
  const flows = states.map((state) => {
    const { flows: all } = readFlows(readTerraform({ resource: asTerraform(state) }));
    return (
      all
        .filter(
          ({ kind, peer }) => (kind === 'packets' || kind === 'link') && peer.kind !== 'unknown',
        )
        // Between two endpoints nobody carries it.
        .filter(({ carrier }) => !attached.has(carrier))
        .map((flow) => (flow.kind === 'link' ? { ...flow, services: EVERYTHING } : flow))
    );
  });
  const named = nameFlows('', flows.flat(), stated);
  let next = 0;
  return flows.map(({ length }) => {
    const rules = named.slice(next, next + length).map(({ carrier: _, ...rule }) => rule);
    next += length;
    return { rules, region: toRegion(rules) };
  });
}

/** The addresses of groups that endpoints carry. */
function attachedGroups(state: CloudState | undefined): string[] {
  if (state === undefined) return [];
  return listResources(state, privatelinkVpcEndpoint)
    .flatMap((endpoint) => readTexts(endpoint, 'SecurityGroupIds'))
    .map((id) => `${vpcSecurityGroup.type}.${toName(id)}`);
}

function statedRules(tree: RehearsedTree): ReviewedRule[] {
  return tree.flatMap(({ name, access, terraform }) => {
    const own = new Set(terraform.resources.map(({ address }) => address));
    return (access?.rules ?? []).map((rule) => ({ ...reviewedRule(name, rule, own), stack: '' }));
  });
}

/** Compares each state after the first with the first and the last one, packet by packet. */
export function compareSteps(states: readonly CloudAccess[]): StepAccess[] {
  const [first, last] = [states[0] ?? CLOSED, states.at(-1) ?? CLOSED];
  const rules = [...first.rules, ...last.rules];
  const either = { rules, region: toRegion(rules) };
  const both = { rules, region: inBoth(first.region, last.region) };
  const only = (effect: Change['effect'], a: CloudAccess, b: CloudAccess) =>
    findChanges({ a, b }).filter((change) => change.effect === effect);
  return states.slice(1).map((state, i) => ({
    transient: only('widens', either, state),
    interrupted: only('narrows', both, state),
    changed: findChanges({ a: states[i] ?? CLOSED, b: state }),
  }));
}

const CLOSED: CloudAccess = { rules: [], region: new Map() };

function inBoth(a: Region, b: Region): Region {
  return new Map(
    [...a].flatMap(([key, cell]) => {
      const ranges = combine(cell.ranges, b.get(key)?.ranges ?? [], intersect);
      return ranges.length === 0 ? [] : [[key, { ...cell, ranges }] as const];
    }),
  );
}

/** Bodies of resources by type and name, as in a stack's Terraform JSON. */
type TerraformBodies = { [type: string]: { [name: string]: JsonObject } };

/**
 * What a cloud has, written as the Terraform JSON that would make it: a resource is named by its
 * identifier, and where one property holds the identifier of another resource, it refers to that. What
 * reads a stack's access from its Terraform reads the cloud's in the same way.
 */
export function asTerraform(cloud: CloudState): TerraformBodies {
  const references = new Map(
    RESOURCE_ROWS.flatMap((row) =>
      Object.keys(cloud.resources[row.cloudType] ?? {}).map(
        (id) => [id, `\${${row.type}.${toName(id)}.id}`] as const,
      ),
    ),
  );
  const bodies: TerraformBodies = {};
  for (const row of RESOURCE_ROWS) {
    const all = Object.entries(cloud.resources[row.cloudType] ?? {}).filter(isInForce);
    if (all.length === 0) continue;
    bodies[row.type] = Object.fromEntries(
      all.map(([id, properties]) => [toName(id), toBody(row, properties, references)]),
    );
  }
  return bodies;
}

/** A connection that was rejected or only asked for lets nobody in. */
function isInForce([, { ConnectionStatus: status }]: [string, JsonObject]): boolean {
  return status === undefined || status === 'Connected';
}

/** The name that a resource has in {@link asTerraform}. */
function toName(identifier: string): string {
  return identifier.replaceAll(/[^\w-]/g, '_');
}

function toBody(row: Row, properties: JsonObject, references: References): JsonObject {
  const own = new Set(row.importId.map((name) => properties[name]));
  const others = new Map([...references].filter(([id]) => !own.has(id)));
  return toAttributes(row.attributes, properties, others);
}

type References = ReadonlyMap<Json, string>;

function toAttributes(attributes: Attributes, properties: JsonObject, references: References) {
  const body: JsonObject = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = properties[cloudName(name, attribute)];
    if (attribute.mode === 'computed' || value === undefined || value === null) continue;
    body[name] = written(value, attribute.of, references);
  }
  return body;
}

function written(value: Json, of: Attributes | undefined, references: References): Json {
  if (Array.isArray(value)) return value.map((member) => written(member, of, references));
  if (isObject(value)) return of === undefined ? value : toAttributes(of, value, references);
  return references.get(value) ?? value;
}

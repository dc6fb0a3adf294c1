import type { ConfiguredModule, ModuleCall, PlanJson } from '../../../terraform/plan-json.js';
import { MODULE_STEP, resourceOf } from '../address.js';
import { type Json, object } from '../json.js';
import { type Instance, instancesOf } from './parse-plan.js';

/** An instance of a module: whose words its resources are written in, and who calls it. */
export interface Scope {
  /** Terraform's address; empty for the root. */
  readonly path: string;
  readonly module: ConfiguredModule;
  readonly caller?: { readonly scope: Scope; readonly call: ModuleCall; readonly key: string };
}

/** The place of an expression: what `var`, `each` and `count` mean there. */
export interface Place {
  readonly scope: Scope;
  /** As it stands in an address: `["a"]`, `[0]`, or nothing. */
  readonly key: string;
  readonly forEach?: unknown;
}

const STEP = new RegExp(`^((?:.*\\.)?)${MODULE_STEP}$`, 'su');

/** The modules of a plan, and the instances of everything in them. */
export class Scopes {
  readonly instances: ReadonlyMap<string, Instance>;
  readonly #scopes = new Map<string, Scope>();
  /** Keys by what has them: a resource, or a call within an instance of a module. */
  readonly #keys = new Map<string, Set<string>>();

  constructor(plan: PlanJson) {
    this.#scopes.set('', { path: '', module: plan.configuration.root_module });
    this.instances = instancesOf(plan);
    for (const [address, { module }] of this.instances) {
      this.#add(address);
      for (let path = module; path !== ''; path = moduleBefore(path)) this.#add(path);
    }
  }

  #add(address: string): void {
    const of = resourceOf(address);
    const keys = this.#keys.get(of) ?? new Set();
    this.#keys.set(of, keys.add(address.slice(of.length)));
  }

  /** The keys that a resource or a module call has; an empty one where it has no instances by keys. */
  keysOf(address: string): readonly string[] {
    return [...(this.#keys.get(address) ?? [])];
  }

  /** Finds an instance of a module by its address. */
  at(path: string): Scope | undefined {
    const known = this.#scopes.get(path);
    if (known !== undefined) return known;
    const [, before = '', name = '', key = ''] = STEP.exec(path) ?? [];
    const scope = this.at(before.replace(/\.$/, ''));
    const call = scope && new Map(Object.entries(scope.module.module_calls)).get(name);
    if (scope === undefined || call === undefined) return undefined;
    const found = { path, module: call.module, caller: { scope, call, key } };
    this.#scopes.set(path, found);
    return found;
  }

  /** The place in which an instance is written, and its expressions. */
  written(address: string): { readonly place: Place; readonly resource: Written } | undefined {
    const { module = '' } = this.instances.get(address) ?? {};
    const scope = this.at(module);
    const of = resourceOf(address);
    const own = module === '' ? of : of.slice(module.length + 1);
    const resource = scope?.module.resources.find((one) => one.address === own);
    if (scope === undefined || resource === undefined) return undefined;
    const place = {
      scope,
      key: address.slice(of.length),
      forEach: resource.for_each_expression,
    };
    return { place, resource: { ...resource, expressions: object(resource.expressions) } };
  }
}

type Written = Omit<ConfiguredModule['resources'][number], 'expressions'> & {
  readonly expressions: Json;
};

/** The path without its last module. */
function moduleBefore(path: string): string {
  return (STEP.exec(path)?.[1] ?? '').replace(/\.$/, '');
}

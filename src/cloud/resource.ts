import {
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
} from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { appMistake } from '../codes/app-mistake.js';
import { type Config, camel, configProblems, type Reads, toTerraform } from './config.js';
import { isInModule } from './module-context.js';
import { CLOUD_PROVIDER, ROWS } from './table/index.js';
import { markDescription, markPlace, markProblems, markTags } from './table/mark.js';
import type { Attribute, Attributes, Row } from './table/row.js';

/** The arguments that Terraform gives to every resource. */
type Meta = Pick<TerraformMetaArguments, 'provider' | 'dependsOn' | 'lifecycle'>;

/** The provider that resources belong to, in cdktf's terms. */
export const GENERATOR = {
  providerName: CLOUD_PROVIDER.name,
  // cdktf writes this one as the constraint.
  providerVersion: CLOUD_PROVIDER.versions,
  providerVersionConstraint: CLOUD_PROVIDER.versions,
};

interface CloudClass<R extends Row, Base> {
  /**
   * @throws ConnectivityError `usage.invalid`, naming every attribute that breaks the table
   */
  new (
    scope: Construct,
    id: string,
    config: Config<R['attributes']> & Meta,
  ): Base & {
    /** The attributes of the deployed resource, as tokens. */
    readonly attributes: Reads<R['attributes']>;
  };
  readonly row: R;
}

export interface Changeable<R extends Row> {
  /**
   * Gives attributes other values, until the stack is synthesized.
   *
   * @throws ConnectivityError `usage.invalid`, naming every attribute that breaks the table
   */
  set(config: Partial<Config<R['attributes']>>): void;
}

/** The one factory of classes. */
function makeClass<R extends Row, Base>(
  row: R,
  base: typeof TerraformResource | typeof TerraformDataSource,
): CloudClass<R, Base> {
  const made = class extends (base as typeof TerraformResource) {
    static readonly row = row;
    readonly attributes: Reads<R['attributes']>;
    #config: Record<string, unknown>;

    constructor(scope: Construct, id: string, config: Meta & Readonly<Record<string, unknown>>) {
      const { provider, dependsOn, lifecycle, ...own } = config;
      check(row, `${scope.node.path}/${id}`, own);
      super(scope, id, {
        terraformResourceType: row.type,
        terraformGeneratorMetadata: GENERATOR,
        provider,
        dependsOn,
        lifecycle,
      });
      this.node.addValidation({ validate: () => missingProvider(this) });
      this.#config = own;
      this.attributes = reads(row.attributes, this);
    }

    set(config: Partial<Config<R['attributes']>>): void {
      const changed = { ...this.#config, ...config };
      check(row, this.node.path, changed);
      this.#config = changed;
    }

    protected override synthesizeAttributes() {
      return toTerraform(row.attributes, marked(row, this.#config, this));
    }
  };
  return made as unknown as CloudClass<R, Base>;
}

/**
 * The problem of a stack without a provider for its resources, reported once: at the first of them.
 * An alias alone serves none that does not name it.
 */
function missingProvider(resource: IConstruct): string[] {
  const constructs = TerraformStack.of(resource).node.findAll();
  if (constructs.find(needsDefault) !== resource) return [];
  const aliases = constructs.filter(isProvider).map(({ alias }) => alias);
  if (aliases.includes(undefined)) return [];
  const found = aliases.length === 0 ? 'none' : `only ${aliases.join(', ')}`;
  return [
    `\`provider\` is missing: the stack must have a CloudProvider without an alias, got: ${found}; add new CloudProvider(stack, 'cloud', { region: 'cn-beijing' })${aliases.length === 0 ? '' : ', or give `provider`'}`,
  ];
}

function isProvider(construct: IConstruct): construct is TerraformProvider {
  return (
    TerraformProvider.isTerraformProvider(construct) &&
    construct.terraformResourceType === CLOUD_PROVIDER.name
  );
}

function needsDefault(construct: IConstruct): boolean {
  const isOfTerraform =
    TerraformResource.isTerraformResource(construct) ||
    TerraformDataSource.isTerraformDataSource(construct);
  if (!isOfTerraform) return false;
  const { provider, terraformGeneratorMetadata: made } = construct;
  return provider === undefined && made?.providerName === CLOUD_PROVIDER.name;
}

/** Tells whether cdktf says the same in its own words. */
export function isOfMissingProvider(problem: string): boolean {
  return (
    problem.startsWith('Found resources without a matching provider construct') &&
    problem.endsWith(`: ${CLOUD_PROVIDER.name}`)
  );
}

function check(row: Row, path: string, config: Record<string, unknown>): void {
  const problems = [...configProblems(row.attributes, config), ...markProblems(config)];
  if (problems.length === 0) return;
  throw appMistake(
    `${path} (${row.type}) is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/**
 * Adds the mark, at synth: until then a resource may still be named anew. Of a module there may be
 * many objects of one address, and none is looked for by it.
 */
function marked(row: Row, config: Record<string, unknown>, resource: TerraformResource) {
  if (isInModule(resource)) return config;
  const mark = {
    stack: TerraformStack.of(resource).node.id,
    address: `${row.type}.${resource.friendlyUniqueId}`,
  };
  const { tags, description } = config;
  switch (markPlace(row)) {
    case 'tags':
      return { ...config, tags: [...(Array.isArray(tags) ? tags : []), ...markTags(mark)] };
    case 'description': {
      const text = typeof description === 'string' ? description : undefined;
      return { ...config, description: markDescription(text, mark) };
    }
    default:
      return config;
  }
}

/** Makes each token when it is first read: cdktf keeps the call stack of every one. */
function reads<A extends Attributes>(
  attributes: A,
  from: TerraformResource | TerraformDataSource,
): Reads<A> {
  const all = {};
  for (const [name, { is }] of Object.entries(attributes)) {
    const define = (own: PropertyDescriptor) =>
      Object.defineProperty(all, camel(name), { enumerable: true, configurable: true, ...own });
    define({
      get: () => {
        const value = readAttribute(name, is, from);
        define({ value });
        return value;
      },
    });
  }
  return all as Reads<A>;
}

function readAttribute(
  name: string,
  is: Attribute['is'],
  from: TerraformResource | TerraformDataSource,
): unknown {
  if (is === 'string') return from.getStringAttribute(name);
  return is === 'number' ? from.getNumberAttribute(name) : from.interpolationForAttribute(name);
}

type Rows = typeof ROWS;

/** The classes by name: that of the row `clbAcl` is `ClbAcl`. */
type Classes = {
  readonly [Name in keyof Rows as Capitalize<Name>]: Rows[Name]['kind'] extends 'data'
    ? CloudClass<Rows[Name], TerraformDataSource>
    : CloudClass<Rows[Name], TerraformResource & Changeable<Rows[Name]>>;
};

function classes(): Classes {
  const made = Object.entries(ROWS).map(([name, row]) => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    makeClass(row, row.kind === 'data' ? TerraformDataSource : TerraformResource),
  ]);
  return Object.fromEntries(made);
}

/** A class for each row of the table: `new cloud.VpcVpc(scope, id, config)`. */
export const cloud = classes();

/** A resource of one of these classes. */
export type CloudResource<Name extends keyof Classes> = InstanceType<Classes[Name]>;

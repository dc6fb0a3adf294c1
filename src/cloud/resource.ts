import {
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformResource,
  TerraformStack,
} from 'cdktf';
import type { Construct } from 'constructs';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { camel } from './camel.js';
import type { Config, Reads } from './config.js';
import { configProblems } from './config-problems.js';
import {
  CLOUD_PROVIDER,
  clbAcl,
  clbClb,
  clbListener,
  clbServerGroup,
  fwcenterAddressBook,
  fwcenterControlPolicy,
  privatelinkEndpointService,
  privatelinkVpcEndpoint,
  privatelinkVpcEndpointConnection,
  privatelinkVpcEndpointConnectionData,
  privatelinkVpcEndpointData,
  privatezonePrivateZone,
  privatezoneRecord,
  type Row,
  vpcPrefixList,
  vpcSecurityGroup,
  vpcSubnet,
  vpcVpc,
} from './table/index.js';
import { MARK_PREFIX, MAX_OWN_TAGS, markDescription, markPlace, markTags } from './table/mark.js';
import type { Attribute, Attributes } from './table/row.js';

/** The arguments that Terraform gives to every resource. */
type Meta = Pick<TerraformMetaArguments, 'provider' | 'dependsOn' | 'lifecycle'>;

const META = ['provider', 'dependsOn', 'lifecycle'] as const;

const GENERATOR = {
  providerName: CLOUD_PROVIDER.name,
  providerVersion: CLOUD_PROVIDER.version,
  providerVersionConstraint: CLOUD_PROVIDER.version,
};

interface DataSourceClass<R extends Row> {
  new (
    scope: Construct,
    id: string,
    config: Config<R['attributes']> & Meta,
  ): TerraformDataSource & { readonly attributes: Reads<R['attributes']> };
  readonly row: R;
}

/** A class of resources, made from a row of the table. */
export interface ResourceClass<R extends Row> {
  /**
   * @throws ConnectivityError `resource.invalid`, naming every attribute that breaks the table
   */
  new (
    scope: Construct,
    id: string,
    config: Config<R['attributes']> & Meta,
  ): TerraformResource & {
    /** The attributes of the deployed resource, as tokens. */
    readonly attributes: Reads<R['attributes']>;
    /**
     * Gives attributes other values, until the stack is synthesized.
     *
     * @throws ConnectivityError `resource.invalid`, naming every attribute that breaks the table
     */
    set(config: Partial<Config<R['attributes']>>): void;
  };
  readonly row: R;
}

function resourceClass<const R extends Row>(row: R): ResourceClass<R> {
  return class extends TerraformResource {
    static readonly row = row;
    readonly attributes: Reads<R['attributes']>;
    #config: Record<string, unknown>;

    constructor(scope: Construct, id: string, config: Config<R['attributes']> & Meta) {
      const { meta, own } = split(config);
      check(row, `${scope.node.path}/${id}`, own, markProblems(own));
      super(scope, id, {
        terraformResourceType: row.type,
        terraformGeneratorMetadata: GENERATOR,
        ...meta,
      });
      this.#config = own;
      this.attributes = reads(row.attributes, this);
    }

    set(config: Partial<Config<R['attributes']>>): void {
      const changed = { ...this.#config, ...config };
      check(row, this.node.path, changed, markProblems(changed));
      this.#config = changed;
    }

    protected override synthesizeAttributes() {
      return toTerraform(row.attributes, marked(row, this.#config, this));
    }
  };
}

function dataSourceClass<const R extends Row>(row: R): DataSourceClass<R> {
  return class extends TerraformDataSource {
    static readonly row = row;
    readonly attributes: Reads<R['attributes']>;
    readonly #config: Record<string, unknown>;

    constructor(scope: Construct, id: string, config: Config<R['attributes']> & Meta) {
      const { meta, own } = split(config);
      check(row, `${scope.node.path}/${id}`, own);
      super(scope, id, {
        terraformResourceType: row.type,
        terraformGeneratorMetadata: GENERATOR,
        ...meta,
      });
      this.#config = own;
      this.attributes = reads(row.attributes, this);
    }

    protected override synthesizeAttributes() {
      return toTerraform(row.attributes, this.#config);
    }
  };
}

function split(config: object): { meta: Meta; own: Record<string, unknown> } {
  const isMeta = (name: string) => META.some((meta) => meta === name);
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    meta: Object.fromEntries(entries.filter(([name]) => isMeta(name))),
    own: Object.fromEntries(entries.filter(([name]) => !isMeta(name))),
  };
}

function check(row: Row, path: string, config: object, more: readonly string[] = []): void {
  const problems = [...configProblems(row.attributes, config), ...more];
  if (problems.length === 0) return;
  throw new ConnectivityError(
    'resource.invalid',
    `${path} (${row.type}) is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/** The mark is made at synth: until then a resource may still be moved or named anew. */
function marked(row: Row, config: Record<string, unknown>, resource: TerraformResource) {
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

function markProblems({ tags }: Record<string, unknown>): string[] {
  if (!Array.isArray(tags)) return [];
  const keys = tags.map((tag: { readonly key?: unknown }) => String(tag.key));
  return [
    ...(keys.length > MAX_OWN_TAGS
      ? [`\`tags\` must be at most ${MAX_OWN_TAGS}, got: ${keys.length}; two more are added`]
      : []),
    ...keys
      .filter((key) => key.startsWith(MARK_PREFIX))
      .map(
        (key) => `\`tags\` must have keys that do not start with \`${MARK_PREFIX}\`, got: "${key}"`,
      ),
  ];
}

function reads<A extends Attributes>(
  attributes: A,
  from: TerraformResource | TerraformDataSource,
): Reads<A> {
  const all: Record<string, unknown> = {};
  for (const [name, { is }] of Object.entries(attributes)) {
    all[camel(name)] =
      is === 'string'
        ? from.getStringAttribute(name)
        : is === 'number'
          ? from.getNumberAttribute(name)
          : from.interpolationForAttribute(name);
  }
  return all as Reads<A>;
}

/** A configuration under Terraform's attribute names. */
function toTerraform(attributes: Attributes, config: object): Record<string, unknown> {
  const values = new Map(Object.entries(config));
  const named = Object.entries(attributes)
    .filter(([name]) => values.has(camel(name)))
    .map(([name, attribute]) => [name, nested(attribute, values.get(camel(name)))] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function nested({ of, spelledOut }: Attribute, value: unknown): unknown {
  if (of === undefined || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return toTerraform(of, value);
  const unused = spelledOut ? unusedValues(of) : {};
  return value.map((item: object) => ({ ...unused, ...toTerraform(of, item) }));
}

function unusedValues(members: Attributes): Record<string, string> {
  const entries = Object.entries(members).flatMap(([name, { unused }]) =>
    unused === undefined ? [] : [[name, unused] as const],
  );
  return Object.fromEntries(entries);
}

export class ClbAcl extends resourceClass(clbAcl) {}
export class ClbClb extends resourceClass(clbClb) {}
export class ClbListener extends resourceClass(clbListener) {}
export class ClbServerGroup extends resourceClass(clbServerGroup) {}
export class FwcenterAddressBook extends resourceClass(fwcenterAddressBook) {}
export class FwcenterControlPolicy extends resourceClass(fwcenterControlPolicy) {}
export class PrivatelinkEndpointService extends resourceClass(privatelinkEndpointService) {}
export class PrivatelinkVpcEndpointConnection extends resourceClass(
  privatelinkVpcEndpointConnection,
) {}
export class PrivatelinkVpcEndpointConnectionData extends dataSourceClass(
  privatelinkVpcEndpointConnectionData,
) {}
export class PrivatezonePrivateZone extends resourceClass(privatezonePrivateZone) {}
export class PrivatezoneRecord extends resourceClass(privatezoneRecord) {}
export class VpcPrefixList extends resourceClass(vpcPrefixList) {}
export class VpcVpc extends resourceClass(vpcVpc) {}
export class VpcSubnet extends resourceClass(vpcSubnet) {}
export class VpcSecurityGroup extends resourceClass(vpcSecurityGroup) {}
export class PrivatelinkVpcEndpoint extends resourceClass(privatelinkVpcEndpoint) {}
export class PrivatelinkVpcEndpointData extends dataSourceClass(privatelinkVpcEndpointData) {}

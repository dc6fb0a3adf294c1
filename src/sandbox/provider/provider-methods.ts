import type { Attribute, Attributes, Row } from '../../cloud/table/row.js';
import { planChange } from './plan.js';
import {
  type ApplyCall,
  type ConfigCall,
  decodeValue,
  encodeValue,
  type ImportCall,
  type PlanCall,
  type ReadCall,
  type UpgradeCall,
} from './protocol.js';
import { attributePath, error, type Outcome, type StandInProvider } from './stand-in-provider.js';
import { validate } from './validate.js';
import { isObject, type ObjectValue, type Value } from './value.js';

/** The methods of the plugin protocol, answered for a provider. */
export class ProviderMethods {
  constructor(private readonly provider: StandInProvider) {}

  schema() {
    const { rows, configuration } = this.provider;
    return {
      provider: describeSchema(0, configuration),
      resource_schemas: makeSchemas(rows, 'resource'),
      data_source_schemas: makeSchemas(rows, 'data'),
      server_capabilities: { plan_destroy: false, get_provider_schema_optional: true },
    };
  }

  validateProvider(call: Pick<ConfigCall, 'config'>) {
    const { configuration } = this.provider;
    return { diagnostics: validate(configuration, asObject(decodeValue(call.config))) };
  }

  configure(call: Pick<ConfigCall, 'config'>) {
    return { diagnostics: this.provider.configure(asObject(decodeValue(call.config))) };
  }

  validate(kind: Row['kind'], call: ConfigCall) {
    const { attributes } = this.row(kind, call.type_name);
    return { diagnostics: validate(attributes, asObject(decodeValue(call.config))) };
  }

  /** The stored state goes back untouched: decoding it would lose integers beyond 53 bits. */
  upgrade(call: UpgradeCall) {
    return { upgraded_state: { json: call.raw_state?.json ?? Buffer.from('null') } };
  }

  async read(call: ReadCall) {
    const state = asObject(decodeValue(call.current_state));
    const outcome = await this.operations('resource', call.type_name).read(state);
    return { ...answer('new_state', outcome), private: call.private };
  }

  plan(call: PlanCall) {
    const { attributes } = this.row('resource', call.type_name);
    const proposed = decodeValue(call.proposed_new_state);
    if (proposed === null) {
      return { planned_state: encodeValue(null), planned_private: call.prior_private };
    }
    const prior = decodeValue(call.prior_state);
    const { planned, requiresReplace } = planChange(attributes, {
      prior: isObject(prior) ? prior : null,
      proposed: asObject(proposed),
      config: asObject(decodeValue(call.config)),
    });
    return {
      planned_state: encodeValue(planned),
      requires_replace: requiresReplace.map(attributePath),
      planned_private: call.prior_private,
    };
  }

  async apply(call: ApplyCall) {
    const operations = this.operations('resource', call.type_name);
    const prior = decodeValue(call.prior_state);
    const planned = decodeValue(call.planned_state);
    const outcome = isObject(planned)
      ? await (isObject(prior) ? operations.update(prior, planned) : operations.create(planned))
      : await operations.delete(asObject(prior));
    return { ...answer('new_state', outcome), private: call.planned_private };
  }

  import(call: ImportCall) {
    const state = this.operations('resource', call.type_name).import?.(call.id);
    if (state === undefined) {
      const detail = `\`${call.type_name}\` cannot be imported.`;
      return { diagnostics: [error('Resource Import Not Implemented', detail)] };
    }
    return { imported_resources: [{ type_name: call.type_name, state: encodeValue(state) }] };
  }

  async readData(call: ConfigCall) {
    const operations = this.operations('data', call.type_name);
    const outcome = await operations.readData?.(asObject(decodeValue(call.config)));
    return answer('state', outcome ?? { state: null, diagnostics: [] });
  }

  stop() {
    this.provider.stop();
    return {};
  }

  private operations(kind: Row['kind'], type: string) {
    return this.provider.operations(this.row(kind, type));
  }

  private row(kind: Row['kind'], type: string): Row {
    const found = this.provider.rows.find((row) => row.kind === kind && row.type === type);
    if (found === undefined) throw new Error(`The sandbox has no ${kind} of the type ${type}.`);
    return found;
  }
}

function answer(field: 'state' | 'new_state', { state, diagnostics }: Outcome) {
  return { [field]: encodeValue(state), diagnostics };
}

function asObject(value: Value): ObjectValue {
  return isObject(value) ? value : {};
}

/** A schema as the plugin protocol describes it. */
function describeSchema(version: number, attributes: Attributes): object {
  return { version, block: { attributes: attributeSchemas(attributes) } };
}

/** The schemas of one kind of row by type name. */
function makeSchemas(rows: readonly Row[], kind: Row['kind']): Record<string, object> {
  const schemas = rows
    .filter((row) => row.kind === kind)
    .map((row) => [row.type, describeSchema(row.version, row.attributes)]);
  return Object.fromEntries(schemas);
}

function attributeSchemas(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...attributeType(attribute),
    required: attribute.mode === 'required',
    optional: attribute.mode.startsWith('optional'),
    computed: attribute.mode.endsWith('computed'),
    sensitive: attribute.sensitive === true,
  }));
}

/** The type of an attribute as the plugin protocol has it: `set(string)` is `["set", "string"]`. */
function attributeType({ is, of = {} }: Attribute): object {
  const [, collection, member = is] = /^(\w+)\((\w+)\)$/.exec(is) ?? [];
  if (member === 'object') {
    const nesting = (collection ?? 'single').toUpperCase();
    return { nested_type: { attributes: attributeSchemas(of), nesting } };
  }
  const type = collection === undefined ? member : [collection, member];
  return { type: Buffer.from(JSON.stringify(type)) };
}

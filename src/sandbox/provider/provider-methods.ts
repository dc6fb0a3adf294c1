import type { Attribute, Attributes, Row } from '../../cloud/table/row.js';
import { planChange } from './plan.js';
import { type Call, decodeValue, encodeValue } from './protocol.js';
import { attributePath, error, type Outcome, type StandInProvider } from './stand-in-provider.js';
import { validate } from './validate.js';
import { isObject, type ObjectValue } from './value.js';

type Method = (provider: StandInProvider, call: Call) => object | Promise<object>;

export const METHODS: { readonly [name: string]: Method } = {
  GetProviderSchema: ({ rows, configuration }) => ({
    provider: describeSchema(0, configuration),
    resource_schemas: makeSchemas(rows, 'resource'),
    data_source_schemas: makeSchemas(rows, 'data'),
    server_capabilities: { plan_destroy: false, get_provider_schema_optional: true },
  }),

  ValidateProviderConfig: ({ configuration }, { config }) => ({
    diagnostics: validate(configuration, readObject(config)),
  }),

  ConfigureProvider: (provider, { config }) => ({
    diagnostics: provider.configure(readObject(config)),
  }),

  ValidateResourceConfig: (provider, call) => ({
    diagnostics: validate(findRow(provider, 'resource', call).attributes, readObject(call.config)),
  }),

  ValidateDataResourceConfig: (provider, call) => ({
    diagnostics: validate(findRow(provider, 'data', call).attributes, readObject(call.config)),
  }),

  /** The stored state goes back untouched: decoding it would lose integers beyond 53 bits. */
  UpgradeResourceState: (_, call) => ({
    upgraded_state: { json: call.raw_state?.json ?? Buffer.from('null') },
  }),

  async ReadResource(provider, call) {
    const outcome = await operations(provider, 'resource', call).read(
      readObject(call.current_state),
    );
    return { ...answer('new_state', outcome), private: call.private };
  },

  PlanResourceChange(provider, call) {
    const { attributes } = findRow(provider, 'resource', call);
    const proposed = decodeValue(call.proposed_new_state);
    if (!isObject(proposed)) {
      return { planned_state: encodeValue(null), planned_private: call.prior_private };
    }
    const prior = decodeValue(call.prior_state);
    const { planned, requiresReplace } = planChange(attributes, {
      prior: isObject(prior) ? prior : null,
      proposed,
      config: readObject(call.config),
    });
    return {
      planned_state: encodeValue(planned),
      requires_replace: requiresReplace.map(attributePath),
      planned_private: call.prior_private,
    };
  },

  async ApplyResourceChange(provider, call) {
    const object = operations(provider, 'resource', call);
    const prior = decodeValue(call.prior_state);
    const planned = decodeValue(call.planned_state);
    const outcome = isObject(planned)
      ? await (isObject(prior) ? object.update(prior, planned) : object.create(planned))
      : await object.delete(readObject(call.prior_state));
    return { ...answer('new_state', outcome), private: call.planned_private };
  },

  ImportResourceState(provider, call) {
    const state = operations(provider, 'resource', call).import?.(call.id);
    if (state === undefined) {
      const detail = `\`${call.type_name}\` cannot be imported.`;
      return { diagnostics: [error('Resource Import Not Implemented', detail)] };
    }
    return { imported_resources: [{ type_name: call.type_name, state: encodeValue(state) }] };
  },

  async ReadDataSource(provider, call) {
    const outcome = await operations(provider, 'data', call).readData?.(readObject(call.config));
    return answer('state', outcome ?? { state: null, diagnostics: [] });
  },

  StopProvider(provider) {
    provider.stop();
    return {};
  },
};

function operations(provider: StandInProvider, kind: Row['kind'], call: Call) {
  return provider.operations(findRow(provider, kind, call));
}

function findRow({ rows }: StandInProvider, kind: Row['kind'], { type_name: type }: Call): Row {
  const found = rows.find((row) => row.kind === kind && row.type === type);
  if (found === undefined) throw new Error(`The sandbox has no ${kind} of the type ${type}.`);
  return found;
}

function answer(field: 'state' | 'new_state', { state, diagnostics }: Outcome) {
  return { [field]: encodeValue(state), diagnostics };
}

function readObject(wire: Call['config']): ObjectValue {
  const value = decodeValue(wire);
  return isObject(value) ? value : {};
}

function describeSchema(version: number, attributes: Attributes): object {
  return { version, block: { attributes: attributeSchemas(attributes) } };
}

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

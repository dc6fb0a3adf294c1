import { setMaxListeners } from 'node:events';
import { PROVIDER_CONFIGURATION, TABLE } from '../../../cloud/table/index.js';
import type { Attributes, Row } from '../../../cloud/table/row.js';
import { CloudControlError } from '../../../cloud-control/transport.js';
import {
  type Diagnostic,
  error,
  errorText,
  type Operations,
  type Outcome,
  type StandInProvider,
  warning,
} from '../stand-in-provider.js';
import {
  hasUnknown,
  isObject,
  mapAttributes,
  nullObject,
  type ObjectValue,
  type Value,
} from '../value.js';
import { CloudControlClient, cloudSettings } from './cloud-control-client.js';
import { makePatch } from './patch.js';
import { fromProperties, toProperties } from './state-conversion.js';

/** How long tasks under way may continue after an interrupt, so that what they make is recorded. */
const GRACE_MS = 5000;

/** The provider of every cloud resource in the table. */
export class CloudProvider implements StandInProvider {
  readonly configuration = PROVIDER_CONFIGURATION;
  readonly rows: readonly Row[] = TABLE;
  private readonly stopped = new AbortController();
  private client: CloudControlClient | undefined;

  constructor(private readonly environment: NodeJS.ProcessEnv) {
    // Every task under way listens.
    setMaxListeners(0, this.stopped.signal);
  }

  configure(config: ObjectValue): readonly Diagnostic[] {
    const settings = cloudSettings(config, this.environment);
    if (!('region' in settings)) return settings;
    this.client = new CloudControlClient(settings, this.stopped.signal);
    return [];
  }

  operations(row: Row): Operations {
    if (this.client === undefined) throw new Error('The provider was not configured.');
    return new ResourceOperations(row, this.client);
  }

  stop(): void {
    setTimeout(() => this.stopped.abort(), GRACE_MS).unref();
  }
}

/** The operations of a row whose objects live behind the Cloud Control API. */
export class ResourceOperations implements Operations {
  private readonly typeName: string;

  constructor(
    private readonly row: Row,
    private readonly client: CloudControlClient,
  ) {
    this.typeName = row.cloudType ?? row.type;
  }

  /**
   * An object that is gone stays in the state with a warning, as the genuine provider has it; an
   * import of nothing leaves an empty object for the same reason.
   */
  async read(state: ObjectValue): Promise<Outcome> {
    try {
      return done(await this.readState(requireId(state), state));
    } catch (thrown) {
      if (!isNotFound(thrown)) return failed('GetResource', this.typeName, thrown, state);
      return {
        state,
        diagnostics: [warning('Resource Not Found During Refresh', errorText(thrown))],
      };
    }
  }

  /** A create whose end is not seen leaves its object in the cloud and nothing in the state. */
  async create(planned: ObjectValue): Promise<Outcome> {
    let id: string;
    try {
      id = await this.client.create(this.typeName, toProperties(this.row.attributes, planned));
    } catch (thrown) {
      return failed('CreateResource', this.typeName, thrown, null);
    }
    return this.settle(id, planned, 'CreateResource');
  }

  async update(prior: ObjectValue, planned: ObjectValue): Promise<Outcome> {
    const id = requireId(prior);
    try {
      const current = await this.client.get(this.typeName, id);
      const patch = makePatch(this.row.attributes, prior, planned, current);
      if (patch.length > 0) await this.client.update(this.typeName, id, patch);
    } catch (thrown) {
      return failed('UpdateResource', this.typeName, thrown, prior);
    }
    return this.settle(id, planned, 'UpdateResource');
  }

  async delete(prior: ObjectValue): Promise<Outcome> {
    try {
      await this.client.delete(this.typeName, requireId(prior));
      return done(null);
    } catch (thrown) {
      return failed('DeleteResource', this.typeName, thrown, prior);
    }
  }

  import(id: string): ObjectValue {
    return { ...nullObject(this.row.attributes), id };
  }

  async readData(config: ObjectValue): Promise<Outcome> {
    try {
      return done(await this.readState(requireId(config), config));
    } catch (thrown) {
      return failed('GetResource', this.typeName, thrown, null);
    }
  }

  /** What the plan knew stays as planned; what it did not know is what the cloud has now. */
  private async settle(id: string, planned: ObjectValue, action: string): Promise<Outcome> {
    const known = { ...planned, id };
    if (!hasUnknown(known)) return done(known);
    try {
      return done(this.fill(known, await this.readState(id, planned)));
    } catch (thrown) {
      return failed(
        action,
        this.typeName,
        thrown,
        this.fill(known, nullObject(this.row.attributes)),
      );
    }
  }

  private fill(known: ObjectValue, actual: ObjectValue): ObjectValue {
    return fillUnknown(this.row.attributes, known, actual);
  }

  /** The object as the cloud has it; write-only attributes, which it never returns, come from `held`. */
  private async readState(id: string, held: ObjectValue): Promise<ObjectValue> {
    const properties = await this.client.get(this.typeName, id);
    const actual = fromProperties(this.row.attributes, properties);
    return mapAttributes(this.row.attributes, (name, attribute) => {
      if (name === 'id') return id;
      const value = (attribute.writeOnly ? held[name] : actual[name]) ?? null;
      return hasUnknown(value) ? null : value;
    });
  }
}

/** What is unknown as the cloud has it: in an object by itself, in a set the whole set. */
function fillUnknown(attributes: Attributes, known: ObjectValue, actual: ObjectValue): ObjectValue {
  return mapAttributes(attributes, (name, { of }) => {
    const value: Value = known[name] ?? null;
    const there = actual[name] ?? null;
    if (!hasUnknown(value)) return value;
    return of !== undefined && isObject(value)
      ? fillUnknown(of, value, isObject(there) ? there : {})
      : there;
  });
}

function requireId(state: ObjectValue): string {
  if (typeof state.id === 'string' && state.id !== '') return state.id;
  throw new Error('The state has no `id`.');
}

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof CloudControlError && thrown.isNotFound;
}

function done(state: ObjectValue | null): Outcome {
  return { state, diagnostics: [] };
}

function failed(
  action: string,
  typeName: string,
  thrown: unknown,
  state: ObjectValue | null,
): Outcome {
  return { state, diagnostics: [error(`${action} failed for ${typeName}`, errorText(thrown))] };
}

import { setMaxListeners } from 'node:events';
import { PROVIDER_CONFIGURATION, TABLE } from '../../../cloud/table/index.js';
import type { Attributes, Row } from '../../../cloud/table/row.js';
import { CloudControlError } from '../../../cloud-control/transport.js';
import { asText } from '../../../files/json.js';
import {
  type Diagnostic,
  error,
  errorText,
  type Operations,
  type Outcome,
  type StandInProvider,
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
import { fromProperties, makePatch, toProperties } from './state-conversion.js';

/**
 * The time that running tasks may continue after an interrupt, so that their objects are recorded.
 */
const GRACE_MS = 5000;

export class CloudStandIn implements StandInProvider {
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
  read(state: ObjectValue): Promise<Outcome> {
    return this.attempt('GetResource', state, async () => {
      try {
        return done(await this.readState(requireId(state), state));
      } catch (thrown) {
        if (!(thrown instanceof CloudControlError && thrown.isNotFound)) throw thrown;
        const summary = 'Resource Not Found During Refresh';
        return {
          state,
          diagnostics: [{ severity: 'WARNING', summary, detail: errorText(thrown) }],
        };
      }
    });
  }

  /** A create whose end is not seen leaves its object in the cloud and nothing in the state. */
  create(planned: ObjectValue): Promise<Outcome> {
    return this.attempt('CreateResource', null, async () => {
      const details = { TargetState: toProperties(this.row.attributes, planned) };
      const event = await this.client.operate('CreateResource', this.typeName, details);
      const id = asText(event.Identifier);
      if (id === undefined) throw new Error('The task succeeded without an Identifier.');
      return this.settle(id, planned, 'CreateResource');
    });
  }

  async update(prior: ObjectValue, planned: ObjectValue): Promise<Outcome> {
    const id = requireId(prior);
    return this.attempt('UpdateResource', prior, async () => {
      const current = await this.client.get(this.typeName, id);
      const patch = makePatch(this.row.attributes, prior, planned, current);
      const details = { Identifier: id, PatchDocument: patch };
      if (patch.length > 0) await this.client.operate('UpdateResource', this.typeName, details);
      return this.settle(id, planned, 'UpdateResource');
    });
  }

  delete(prior: ObjectValue): Promise<Outcome> {
    return this.attempt('DeleteResource', prior, async () => {
      const details = { Identifier: requireId(prior) };
      await this.client.operate('DeleteResource', this.typeName, details);
      return done(null);
    });
  }

  import(id: string): ObjectValue {
    return { ...nullObject(this.row.attributes), id };
  }

  readData(config: ObjectValue): Promise<Outcome> {
    return this.attempt('GetResource', null, async () =>
      done(await this.readState(requireId(config), config)),
    );
  }

  /** Keeps planned values, and fills in unknown ones from the cloud. */
  private async settle(id: string, planned: ObjectValue, action: string): Promise<Outcome> {
    const known = { ...planned, id };
    if (!hasUnknown(known)) return done(known);
    const { attributes } = this.row;
    const unread = fillUnknown(attributes, known, {});
    return this.attempt(action, unread, async () =>
      done(fillUnknown(attributes, known, await this.readState(id, planned))),
    );
  }

  /** Does something to the object. @param left the state where that fails */
  private async attempt(
    action: string,
    left: ObjectValue | null,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      return await work();
    } catch (thrown) {
      const failed = error(`${action} failed for ${this.typeName}`, errorText(thrown));
      return { state: left, diagnostics: [failed] };
    }
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

/** Fills in unknown values from the cloud: in an object one by one, of a set the whole set. */
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

function done(state: ObjectValue | null): Outcome {
  return { state, diagnostics: [] };
}

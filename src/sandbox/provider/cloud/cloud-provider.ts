import { setMaxListeners } from 'node:events';
import { PROVIDER_CONFIGURATION, type Row, TABLE } from '../../../cloud/table/index.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Operations, StandInProvider } from '../stand-in-provider.js';
import type { ObjectValue } from '../value.js';
import { CloudControlClient } from './cloud-control-client.js';
import { cloudSettings } from './cloud-settings.js';
import { ResourceOperations } from './resource-operations.js';

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

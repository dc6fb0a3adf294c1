import type { SecureContext } from 'node:tls';
import type { LoadedKey } from '../service/load-private-key.js';
import type { VerifyOptions } from './options.js';
import type { Rerouter } from './reroute.js';

/** What all links of a run share. */
export interface RunContext {
  readonly options: VerifyOptions;
  readonly rerouter: Rerouter;
  /** Undefined: the default roots. */
  readonly secureContext: SecureContext | undefined;
  readonly dnsServer: string | undefined;
  /** Reads the key once, however many links and attempts there are. */
  readonly key: () => Promise<LoadedKey>;
}

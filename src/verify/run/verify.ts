import { invalidOption } from '../../codes/connectivity-error.js';
import { refuseSecrets } from '../../codes/misplaced-secrets.js';
import type { VerifyOptions } from '../model/options.js';
import type { Verification } from '../model/verification.js';

/**
 * Checks each link, stage by stage, from here or from the vantage points of `runVia`. A link that
 * fails is a result, not an error, and so is a vantage point that cannot be reached; nothing is
 * printed.
 *
 * @throws ConnectivityError `usage.invalid`, before the first packet
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { links, connections = [], plugins = [] } = options;
  if (links.length + connections.length + plugins.length === 0) {
    throw invalidOption('links', 'have at least one link, got: none');
  }
  refuseSecrets({ links, connections, plugins });
  return options.runVia === undefined
    ? await (await import('./verify-here.js')).verifyHere(options)
    : await (await import('./via/verify-via.js')).verifyVia(options);
}

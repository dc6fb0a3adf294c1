import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Flags } from './flags/table.js';

/** A file of targets must be the only source of links. @throws ConnectivityError `usage.invalid` */
export function refuseOtherSources(flags: Flags): void {
  const others = [
    flags.outputsFile && '--outputs-file',
    flags.stack && '--stack',
    flags.linksFromEnvironment && '--links-from-environment',
    flags.baseUrl && '--base-url',
  ].filter(Boolean);
  if (others.length === 0) return;
  throw new ConnectivityError(
    'usage.invalid',
    `\`--targets\` must be the only source of links, got: ${others.join(', ')} beside it`,
  );
}

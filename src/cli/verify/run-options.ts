import type { RunOptions } from '../../verify/options.js';
import type { Flags } from './flags.js';
import { KEY_VARIABLE } from './setting-sources.js';

/** How to check, as the flags say it. */
export function runOptions(flags: Flags): RunOptions {
  const { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName } = flags;
  const credentials = { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName };
  return {
    credentials: { ...credentials, privateKey: process.env[KEY_VARIABLE] },
    auth: flags.auth,
    dnsServer: flags.dnsServer,
    connectTo: flags.connectTo,
    caFile: flags.caFile,
    timeoutMs: flags.timeout,
    waitMs: flags.wait,
    concurrency: flags.concurrency,
  };
}

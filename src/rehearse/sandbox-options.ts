import type { Sandbox } from '../sandbox/sandbox.js';
import type { RunOptions } from '../verify/model/options.js';

/** The time limit of a check on loopback. */
export const TIMEOUT_MS = 10_000;

/** The time limit of a dial on loopback, where only the sandbox answers. */
export const DIAL_TIMEOUT_MS = 1000;

/** Returns how the environment of a sandbox makes the check. */
export function sandboxOptions({ env }: Sandbox): RunOptions {
  const value = (name: string) => env[`SECURE_CONNECTIVITY_${name}`] ?? '';
  return {
    credentials: {
      enterpriseId: value('ENTERPRISE_ID'),
      appId: value('APP_ID'),
      keyId: value('KEY_ID'),
      privateKeyFile: value('PRIVATE_KEY_FILE'),
      sessionName: 'check',
    },
    caFile: value('CA_FILE'),
    dnsServer: value('DNS_SERVER'),
    compareResolvers: [value('COMPARE_RESOLVER')],
    ownAddresses: [value('OWN_ADDRESS')],
    connectTo: [value('CONNECT_TO')],
    ...(value('PROXY') !== '' && { proxy: value('PROXY') }),
  };
}

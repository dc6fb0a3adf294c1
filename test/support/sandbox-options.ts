import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { VerifyOptions } from '../../src/verify/model/options.js';

/** How the environment of a sandbox makes the program check, for a check in this process. */
export function sandboxOptions({ env }: Sandbox): Omit<VerifyOptions, 'links'> {
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

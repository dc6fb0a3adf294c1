import type { World } from './verifiable-link.js';

/** The flags with which the program checks links of a test's world. */
export function worldFlags({ options }: World): string[] {
  const { credentials = {}, dnsServer = '', caFile = '', connectTo = [] } = options;
  const { enterpriseId = '', appId = '', keyId = '', privateKeyFile = '' } = credentials;
  return [
    ['--enterprise-id', enterpriseId],
    ['--app-id', appId],
    ['--key-id', keyId],
    ['--private-key-file', privateKeyFile],
    ['--dns-server', dnsServer],
    ['--ca-file', caFile],
    ...connectTo.map((rule) => ['--connect-to', rule]),
  ].flat();
}

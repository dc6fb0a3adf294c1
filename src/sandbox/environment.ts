import { REGION } from './cloud/region.js';
import { LOOPBACK } from './listen.js';
import { CONSOLE_VARIABLE } from './plugin/console-client.js';
import type { SandboxFiles } from './sandbox-files.js';

/** The cloud account's key pair. It opens nothing but the sandbox. */
export const ACCESS_KEY = 'AKSANDBOX';
const SECRET_KEY = 'sandbox';

/** What the provider of the cloud needs in its environment. */
export function cloudEnvironment(cloudPort: number): Record<string, string> {
  return {
    VOLCENGINE_CC_ENDPOINT: `${LOOPBACK}:${cloudPort}`,
    VOLCENGINE_STS_ENDPOINT: `${LOOPBACK}:${cloudPort}`,
    VOLCENGINE_DISABLE_SSL: 'true',
    VOLCENGINE_ACCESS_KEY: ACCESS_KEY,
    VOLCENGINE_SECRET_KEY: SECRET_KEY,
    VOLCENGINE_REGION: REGION,
  };
}

export interface EnvironmentFacts {
  readonly files: SandboxFiles;
  readonly cloudPort: number;
  /** What attaches Terraform to the stand-in providers. @default - Terraform starts providers */
  readonly providers?: Readonly<Record<string, string>> | undefined;
  readonly dnsPort: number;
  /** Of the DNS server that is compared with when a check fails. */
  readonly otherDnsPort: number;
  /** Of the proxy that a fault puts in the way. @default - none is in the way */
  readonly proxyPort?: number | undefined;
  readonly enterpriseId: string;
  readonly appId: string;
  readonly keyId: string;
}

/** What a command needs in its environment to deploy to the sandbox and to check it. */
export function sandboxEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const { files } = facts;
  return {
    TF_CLI_CONFIG_FILE: files.terraformConfiguration,
    TF_IN_AUTOMATION: '1',
    CDKTF_SKIP_PROVIDER_LOCK: 'true',
    // A cache is shared by everything of the user, and not safe for two at a time.
    CDKTF_DISABLE_PLUGIN_CACHE_ENV: 'true',
    TF_PLUGIN_CACHE_DIR: '',
    CHECKPOINT_DISABLE: '1',
    CONNECTIVITY_ENV: 'sandbox',
    CONNECTIVITY_STATE_FOLDER: files.terraform,
    ...facts.providers,
    ...cloudEnvironment(facts.cloudPort),
    SECURE_CONNECTIVITY_ENTERPRISE_ID: facts.enterpriseId,
    SECURE_CONNECTIVITY_APP_ID: facts.appId,
    SECURE_CONNECTIVITY_KEY_ID: facts.keyId,
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: files.privateKey,
    SECURE_CONNECTIVITY_DNS_SERVER: `${LOOPBACK}:${facts.dnsPort}`,
    SECURE_CONNECTIVITY_COMPARE_RESOLVER: `${LOOPBACK}:${facts.otherDnsPort}`,
    ...(facts.proxyPort !== undefined && {
      SECURE_CONNECTIVITY_PROXY: `http://${LOOPBACK}:${facts.proxyPort}`,
    }),
    SECURE_CONNECTIVITY_CA_FILE: files.caCertificate,
    SECURE_CONNECTIVITY_CONNECT_TO: `@${files.connectTo}`,
    SECURE_CONNECTIVITY_OWN_ADDRESS: `@${files.ownAddress}`,
    [CONSOLE_VARIABLE]: files.console,
  };
}

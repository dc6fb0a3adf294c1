import { LOOPBACK } from './listeners/listen.js';
import { CONSOLE_VARIABLE } from './plugin/console-client.js';
import type { Application } from './service/application.js';
import type { SandboxFiles } from './state-folder.js';

/** The cloud account's key pair. It opens nothing but the sandbox. */
export const ACCESS_KEY = 'AKSANDBOX';
const SECRET_KEY = 'sandbox';

/** The enterprise of the AI-agent service that the sandbox is. */
export const ENTERPRISE_ID = 'volcano_2100000000';

export function cloudEnvironment(cloudPort: number, region: string): Record<string, string> {
  return {
    VOLCENGINE_CC_ENDPOINT: `${LOOPBACK}:${cloudPort}`,
    VOLCENGINE_STS_ENDPOINT: `${LOOPBACK}:${cloudPort}`,
    VOLCENGINE_DISABLE_SSL: 'true',
    VOLCENGINE_ACCESS_KEY: ACCESS_KEY,
    VOLCENGINE_SECRET_KEY: SECRET_KEY,
    VOLCENGINE_REGION: region,
  };
}

/**
 * Returns what a command needs in its environment to deploy to the sandbox and to check it.
 *
 * @param forTerraform what the provider of the cloud needs, and what attaches Terraform to stand-ins
 * @param ports with the DNS server that is compared with when a check fails, and the proxy in the way
 */
export function sandboxEnvironment(
  files: SandboxFiles,
  { appId, keys }: Application,
  forTerraform: Readonly<Record<string, string>>,
  ports: { readonly dns: number; readonly otherDns: number; readonly proxy: number | undefined },
): Record<string, string> {
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
    ...forTerraform,
    SECURE_CONNECTIVITY_ENTERPRISE_ID: ENTERPRISE_ID,
    SECURE_CONNECTIVITY_APP_ID: appId,
    SECURE_CONNECTIVITY_KEY_ID: keys[0]?.kid ?? '',
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: files.privateKey,
    SECURE_CONNECTIVITY_DNS_SERVER: `${LOOPBACK}:${ports.dns}`,
    SECURE_CONNECTIVITY_COMPARE_RESOLVER: `${LOOPBACK}:${ports.otherDns}`,
    ...(ports.proxy !== undefined && {
      SECURE_CONNECTIVITY_PROXY: `http://${LOOPBACK}:${ports.proxy}`,
    }),
    SECURE_CONNECTIVITY_CA_FILE: files.caCertificate,
    SECURE_CONNECTIVITY_CONNECT_TO: `@${files.connectTo}`,
    SECURE_CONNECTIVITY_OWN_ADDRESS: `@${files.ownAddress}`,
    [CONSOLE_VARIABLE]: files.console,
  };
}

/** Variables by which something real would be reached, or reached in another way. */
const FOREIGN: readonly RegExp[] = [
  // Credentials of clouds and of Terraform's backends.
  /^(VOLC|TOS_|AWS_|ARM_|AZURE_|GOOGLE_|GCLOUD_|ALICLOUD_|ALIBABA_CLOUD_|TENCENTCLOUD_|OCI_)/,
  /^(CONSUL_|KUBE|VAULT_|PG[A-Z]+$|TF_HTTP_|TF_TOKEN_|TF_CLOUD_|TF_ENCRYPTION|TFE_)/,
  // Where Terraform keeps what, and which providers it runs.
  /^(TF_DATA_DIR|TF_WORKSPACE|TF_REATTACH_PROVIDERS|TF_CLI_ARGS.*|CONNECTIVITY_STATE_FOLDER)$/,
  /^(HTTPS?|FTP|ALL|NO)_PROXY$/i,
  /^NODE_USE_ENV_PROXY$/,
  // Who calls the service, and by which way.
  /^SECURE_CONNECTIVITY_(ENTERPRISE_ID|APP_ID|KEY_ID|PRIVATE_KEY|PRIVATE_KEY_FILE|BASE_URL|API_HOST)$/,
  /^SECURE_CONNECTIVITY_(DNS_SERVER|COMPARE_RESOLVER|RESOLVE|CONNECT_TO|FAMILY|PROXY|CA_FILE)$/,
  /^SECURE_CONNECTIVITY_(OWN_ADDRESS|TLS_SERVER_NAME|LINKS|SANDBOX_.*)$/,
];

/**
 * The environment of a command on the sandbox: the caller's, without what leads to something real,
 * and the sandbox's own over it. An environment of the settings that the caller has chosen stays.
 */
export function childEnvironment(
  caller: NodeJS.ProcessEnv,
  sandbox: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(caller).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !FOREIGN.some((pattern) => pattern.test(entry[0])),
  );
  return {
    ...Object.fromEntries(kept),
    ...sandbox,
    ...(caller.CONNECTIVITY_ENV && { CONNECTIVITY_ENV: caller.CONNECTIVITY_ENV }),
  };
}

/** The folders of programs that Terraform may need, such as a shell. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The environment of a Terraform that runs what strangers wrote: the sandbox's own and nothing of the
 * caller's, with a home and a folder for temporary files that are empty.
 */
export function ownEnvironment(
  sandbox: Readonly<Record<string, string>>,
  emptyFolder: string,
): Record<string, string> {
  return { ...sandbox, PATH: SYSTEM_PATH, HOME: emptyFolder, TMPDIR: emptyFolder, NO_COLOR: '1' };
}

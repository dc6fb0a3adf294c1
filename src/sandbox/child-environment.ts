/** Variables by which something real would be reached, or reached in another way. */
const FOREIGN: readonly RegExp[] = [
  // Credentials of clouds and of Terraform's backends.
  /^(VOLC|TOS_|AWS_|ARM_|AZURE_|GOOGLE_|GCLOUD_|ALICLOUD_|ALIBABA_CLOUD_|TENCENTCLOUD_|OCI_)/,
  /^(CONSUL_|KUBE|VAULT_|PG[A-Z]+$|TF_HTTP_|TF_TOKEN_|TF_CLOUD_|TFE_)/,
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

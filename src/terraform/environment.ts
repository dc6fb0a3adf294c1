import { delimiter, resolve } from 'node:path';

/** Holds the text of the private key where no file is named. */
export const KEY_VARIABLE = 'SECURE_CONNECTIVITY_PRIVATE_KEY';

/** Hold the keys of the cloud, for the provider. */
const CLOUD_KEYS = ['VOLCENGINE_ACCESS_KEY', 'VOLCENGINE_SECRET_KEY', 'VOLCENGINE_SESSION_TOKEN'];

/** Commands for which a provider calls the cloud. */
const CALLS_CLOUD = /^(?:plan|apply|destroy|import)$/;

/**
 * Returns the environment of Terraform, and so of its providers, without the secrets that its command has no
 * use for. Terraform runs in the folder of a stack: on its PATH a relative folder, such as an empty entry,
 * would be one of the tree, whose files are not to be run by name.
 */
export function environmentFor(command = '', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = CALLS_CLOUD.test(command) ? [KEY_VARIABLE] : [KEY_VARIABLE, ...CLOUD_KEYS];
  const { PATH } = env;
  const kept = Object.entries(env).filter(([name]) => !secrets.includes(name));
  return { ...Object.fromEntries(kept), ...(PATH !== undefined && { PATH: absolute(PATH) }) };
}

const absolute = (path: string) =>
  path
    .split(delimiter)
    .map((folder) => resolve(folder))
    .join(delimiter);

import { generateKeyPair } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { usageError } from '../codes/connectivity-error.js';
import { makeFolder, writeWhole } from '../files/whole-file.js';

export const DEFAULT_STATE = '.sandbox';

/** The files of a sandbox. All paths are absolute. */
export type SandboxFiles = Readonly<ReturnType<typeof sandboxFiles>>;

export function sandboxFiles(stateFolder: string) {
  const folder = resolve(stateFolder);
  return {
    folder,
    /** The cloud's state. */
    cloud: join(folder, 'cloud.json'),
    /** Terraform's local states, and the folders that it runs in. */
    terraform: join(folder, 'terraform'),
    terraformConfiguration: join(folder, 'terraform.rc'),
    /** The programs that stand before Terraform. */
    programs: join(folder, 'bin'),
    privateKey: join(folder, 'private_key.pem'),
    caCertificate: join(folder, 'ca.pem'),
    connectTo: join(folder, 'connect-to'),
    /** Holds the addresses of the client. */
    ownAddress: join(folder, 'own-address'),
    /** A folder with one file, named for the process that uses the state. */
    lock: join(folder, 'sandbox.lock'),
    /** Holds the port of the console, and the process that has it. */
    console: join(folder, 'console.port'),
  };
}

const GITIGNORE = '*\n';

/** A draft that is left if a process is killed while it makes the folder. */
const IGNORING_DRAFT = /^\.gitignore\.[\da-f]{12}\.part$/;

/**
 * Makes the state folder where it is not there, and opens it to this user alone. A folder that was empty
 * keeps itself out of Git: it will hold a private key, and states.
 *
 * @throws ConnectivityError `usage.invalid`, also where the folder holds what no sandbox has put there
 */
export function makeStateFolder({ folder, cloud, connectTo }: SandboxFiles): void {
  const ignoring = join(folder, '.gitignore');
  let other: string | undefined;
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    const entries = readdirSync(folder).filter((name) => !IGNORING_DRAFT.test(name));
    if (entries.length === 0) writeWhole(ignoring, GITIGNORE, { isDurable: false });
    // Some ways of copying a folder leave out what is hidden.
    const isIgnored = existsSync(ignoring) && readFileSync(ignoring, 'utf8') === GITIGNORE;
    const isOwn = isIgnored || [cloud, connectTo].some(existsSync);
    if (isOwn) chmodSync(folder, 0o700);
    else [other] = entries;
  } catch (cause) {
    throw usageError(
      `\`--state\` must be a folder that can be made and written, got: "${folder}" (${errorText(cause)}); name another one`,
      cause,
    );
  }
  if (other === undefined) return;
  throw usageError(
    `\`--state\` must be an empty folder or one that a sandbox has made, got: "${folder}", which holds ${other}; name another one`,
  );
}

function errorText(cause: unknown): string {
  const { code = '' } = cause as NodeJS.ErrnoException;
  return ['EEXIST', 'ENOTDIR'].includes(code) ? 'a file is in its place' : code;
}

const OWNER_ONLY = 0o600;

/** The application's private key (PKCS#8 PEM) out of its file, which is made where it is missing. */
export async function applicationPrivateKey(file: string): Promise<string> {
  if (existsSync(file)) {
    chmodSync(file, OWNER_ONLY);
    return readFileSync(file, 'utf8');
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeWhole(file, privateKey, { mode: OWNER_ONLY });
  return privateKey;
}

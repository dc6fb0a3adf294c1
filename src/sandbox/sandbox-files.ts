import { join, resolve } from 'node:path';

/** Where the sandbox keeps what. All paths are absolute. */
export interface SandboxFiles {
  readonly folder: string;
  /** The cloud's state. */
  readonly cloud: string;
  /** Terraform's local states, and the folders that it runs in. */
  readonly terraform: string;
  readonly terraformConfiguration: string;
  /** The programs that stand before Terraform. */
  readonly programs: string;
  readonly privateKey: string;
  readonly caCertificate: string;
  readonly connectTo: string;
  /** Holds the addresses at which the client stands. */
  readonly ownAddress: string;
  /** A folder with one file, named for the process that uses the state. */
  readonly lock: string;
  /** Holds the port of the console, and the process that has it. */
  readonly console: string;
}

export function sandboxFiles(stateFolder: string): SandboxFiles {
  const folder = resolve(stateFolder);
  return {
    folder,
    cloud: join(folder, 'cloud.json'),
    terraform: join(folder, 'terraform'),
    terraformConfiguration: join(folder, 'terraform.rc'),
    programs: join(folder, 'bin'),
    privateKey: join(folder, 'private_key.pem'),
    caCertificate: join(folder, 'ca.pem'),
    connectTo: join(folder, 'connect-to'),
    ownAddress: join(folder, 'own-address'),
    lock: join(folder, 'sandbox.lock'),
    console: join(folder, 'console.port'),
  };
}

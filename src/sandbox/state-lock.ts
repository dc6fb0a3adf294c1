import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { LOOPBACK } from './listen.js';
import { writeAtomically } from './write-atomically.js';

/**
 * Refuses a state folder that a running sandbox uses. The file holds that sandbox's port, so that
 * what a killed one left behind does not count.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function checkStateIsFree(file: string): Promise<void> {
  const port = portIn(file);
  if (port !== undefined && (await answers(port))) {
    throw new ConnectivityError(
      'usage.invalid',
      `the state folder is in use by another sandbox (its port is ${port}); stop it, or choose another folder with \`--state\``,
    );
  }
}

/** Claims the state folder for the sandbox on a port; answers the function that lets go. */
export function claimState(file: string, port: number): () => void {
  writeAtomically(file, `${port}\n`);
  return () => rmSync(file, { force: true });
}

function portIn(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

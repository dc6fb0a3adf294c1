import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { StateServer } from '../../support/state-server.js';
import { freePort, untilListening } from './free-port.js';

const BUCKET = 'states';

/** The path at which `.ci/tools` puts moto, or the one on the PATH. */
const PROGRAM = [
  join(homedir(), '.cache', 'cdktf-secure-connectivity', 'moto', 'bin', 'moto_server'),
  'moto_server',
].find((program) =>
  program.includes('/') ? existsSync(program) : spawnSync(program, ['--help']).status === 0,
);

export const HAS_S3 = PROGRAM !== undefined;

/** moto's S3, with a bucket, on a port of its own. */
export async function startS3(): Promise<StateServer> {
  if (PROGRAM === undefined) throw new Error('moto is not installed');
  const port = await freePort();
  const server = spawn(PROGRAM, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
  await untilListening(port);
  const endpoint = `http://127.0.0.1:${port}`;
  await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
  return {
    state: {
      backend: 's3',
      config: {
        bucket: BUCKET,
        key: 'network',
        region: 'us-east-1',
        endpoints: { s3: endpoint },
        use_path_style: true,
        use_lockfile: true,
        skip_credentials_validation: true,
        skip_requesting_account_id: true,
        skip_region_validation: true,
        skip_metadata_api_check: true,
      },
    },
    env: { AWS_ACCESS_KEY_ID: 'moto', AWS_SECRET_ACCESS_KEY: 'moto' },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

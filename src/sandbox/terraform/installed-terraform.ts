import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConnectivityError } from '../../codes/connectivity-error.js';

/**
 * The platform of the installed Terraform, as provider mirrors name it: `linux_amd64`.
 *
 * @throws ConnectivityError `usage.invalid` where there is no Terraform
 */
export async function terraformPlatform(): Promise<string> {
  const { stdout } = await versionOutput();
  const { platform } = JSON.parse(stdout) as { platform?: unknown };
  if (typeof platform === 'string' && platform !== '') return platform;
  throw new ConnectivityError('usage.invalid', '`terraform version -json` names no platform');
}

async function versionOutput(): Promise<{ stdout: string }> {
  // A configuration file of the caller's may be absent or broken; the version does not need it.
  const { TF_CLI_CONFIG_FILE: _, ...env } = process.env;
  try {
    return await promisify(execFile)('terraform', ['version', '-json'], {
      env: { ...env, CHECKPOINT_DISABLE: '1' },
    });
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const problem = isMissing ? 'is not on the PATH' : 'does not run';
    throw new ConnectivityError(
      'usage.invalid',
      `\`terraform\` ${problem}: install Terraform 1.11 or newer and run this again`,
      { cause },
    );
  }
}

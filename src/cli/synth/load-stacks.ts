import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { packageFolder } from '../../package/package-folder.js';
import type { LoadedSettings } from '../../settings/load-settings.js';

/** The built stacks, as far as they are used here. */
interface Stacks {
  environmentApp(
    loaded: LoadedSettings,
    config: {
      readonly outdir: string;
      readonly context: Readonly<Record<string, string>>;
      readonly stackTraces: boolean;
    },
  ): { synth(): void };
}

/** What the stacks of each form need beside this package. */
const NEEDS = {
  cdktf: ['cdktf', '@cdktf/provider-null', 'constructs'],
  cdktn: ['cdktn', 'constructs'],
} as const;

/**
 * Loads the stacks for what is installed beside this package: cdktf, or else its community continuation.
 *
 * @throws ConnectivityError `usage.invalid` naming what has to be installed
 */
export async function loadStacks(): Promise<Stacks> {
  const missing = NEEDS.cdktf.filter((name) => !isInstalled(name));
  const form = missing.length === 0 ? 'cdktf' : 'cdktn';
  if (form === 'cdktn' && !NEEDS.cdktn.every(isInstalled)) throw notInstalled(missing);
  const file = join(packageFolder(), 'dist', 'stacks', form, 'environment.js');
  return (await import(pathToFileURL(file).href)) as Stacks;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(join(packageFolder(), 'package.json')).resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

function notInstalled(missing: readonly string[]): ConnectivityError {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> };
  const packages = NEEDS.cdktf.map((name) => {
    const [version = ''] = /0\.\d+|[1-9]\d*/.exec(peerDependencies[name] ?? '') ?? [];
    return `${name}@${version}`;
  });
  return new ConnectivityError(
    'usage.invalid',
    `\`synth\` needs ${missing.join(', ')} beside this package, got: not installed; run: npm install ${packages.join(' ')}`,
  );
}

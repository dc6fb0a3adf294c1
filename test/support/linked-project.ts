import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Gives a folder outside of the repository this package, and what it needs, as if installed. */
export function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync('node_modules')) {
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  symlinkSync(resolve('.'), join(modules, 'cdktf-secure-connectivity'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

/**
 * Makes a project in a folder of its own that has the package as it is published: its stacks and
 * settings, and `npx` for programs.
 */
export function stacksProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  linkPackages(folder);
  const installed = installPacked(folder);
  cpSync(join(installed, 'stacks'), join(folder, 'stacks'), { recursive: true });
  cpSync('cdktf.json', join(folder, 'cdktf.json'));
  mkdirSync(join(folder, 'bin'));
  const own = `exec '${process.execPath}' '${join(installed, 'dist/cli/main.js')}'`;
  const npx = `#!/bin/sh
program=$1
shift
case $program in
  secure-connectivity | cdktf-secure-connectivity) ${own} "$@" ;;
  *) exec "${join(folder, 'node_modules', '.bin')}/$program" "$@" ;;
esac
`;
  writeFileSync(join(folder, 'bin', 'npx'), npx, { mode: 0o755 });
  return folder;
}

/** Unpacks what npm would publish, in place of the link to the clone. @returns its folder */
function installPacked(project: string): string {
  const installed = join(project, 'node_modules', 'cdktf-secure-connectivity');
  rmSync(installed);
  mkdirSync(installed);
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
  const tarball = execFileSync('npm', args, { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1']);
  rmSync(join(project, tarball));
  return installed;
}

/** The caller's environment, with the `npx` of a project, and nothing that points to a cloud or a sandbox. */
export function projectEnvironment(folder: string): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '', TF_CLI_CONFIG_FILE } = process.env;
  return {
    PATH: [join(folder, 'bin'), PATH].join(delimiter),
    HOME,
    CI: 'true',
    ...(TF_CLI_CONFIG_FILE !== undefined && { TF_CLI_CONFIG_FILE }),
  };
}

import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** A project in a folder of its own: the stacks and settings of this package, and `npx` for programs. */
export function stacksProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  linkPackages(folder);
  cpSync('stacks', join(folder, 'stacks'), { recursive: true });
  cpSync('cdktf.json', join(folder, 'cdktf.json'));
  mkdirSync(join(folder, 'bin'));
  const own = `exec '${process.execPath}' '${resolve('dist/cli/main.js')}'`;
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

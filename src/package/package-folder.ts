import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = 'cdktf-secure-connectivity';

/**
 * The folder of this package. A package.json of another name is passed over: one only says that the
 * files beside it are CommonJS. A bundle of another application is outside of the package, which is then
 * the one that the project in the working directory has installed.
 *
 * @throws Error where the app is a bundle and its project has not installed the package
 */
export function packageFolder(): string {
  // A bundler that makes CommonJS of this module leaves `import.meta` empty.
  const own: string | undefined = import.meta.dirname;
  return (own && above(own)) ?? installed();
}

/**
 * The folder of this package as the project in the working directory names it: through its own
 * `node_modules` where that is a link, so that the path is the same in every checkout.
 *
 * @throws Error as `packageFolder` does
 */
export function packageFolderOfProject(): string {
  const own = packageFolder();
  const linked = ancestors(process.cwd()).map((folder) => join(folder, 'node_modules', PACKAGE));
  return (
    linked.find((folder) => existsSync(folder) && realpathSync(folder) === realpathSync(own)) ?? own
  );
}

function ancestors(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...ancestors(dirname(folder))];
}

/** The version of this package; `unknown` in a bundle without the package. */
export function packageVersion(): string {
  try {
    return readPackage(packageFolder()).version ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** The program and its version, as reports name them. */
export function toolName(): string {
  return `${PACKAGE} ${packageVersion()}`;
}

function above(folder: string): string | undefined {
  if (readPackage(folder).name === PACKAGE) return folder;
  return dirname(folder) === folder ? undefined : above(dirname(folder));
}

function installed(): string {
  const project = createRequire(join(process.cwd(), 'package.json'));
  try {
    return dirname(project.resolve(`${PACKAGE}/package.json`));
  } catch (cause) {
    throw new Error(`install ${PACKAGE} in ${process.cwd()}: the check after a deploy runs it`, {
      cause,
    });
  }
}

function readPackage(folder: string): { name?: string; version?: string } {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-folder.js';
import { cdktnFile, cdktnManifest, type Installed } from './cdktn-project.js';
import { type Forge, projectSources } from './project-sources.js';

/** What `init` is asked for. */
export interface ProjectOptions {
  /** Whether the project is one of cdktn rather than cdktf. */
  readonly cdktn: boolean;
  /** The forge that the project gets jobs for. */
  readonly ci: Forge;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The files of a project, by their path in it. */
export function projectFiles(
  name: string,
  { cdktn, ci }: ProjectOptions,
): ReadonlyMap<string, string> {
  const folder = packageFolder();
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const own = JSON.parse(read('package.json')) as Manifest;
  const edits: Readonly<Record<string, (text: string) => string>> = {
    'package.json': (text) => withVersions(text, name, own, cdktn),
    'cdktf.json': (text) => written({ ...(JSON.parse(text) as object), projectId: name }),
  };
  return new Map(
    projectSources(ci).map(({ from, to, edit }) => {
      const text = (edits[to] ?? edit ?? ((same) => same))(read(from));
      return [to, cdktn && to !== 'package.json' ? cdktnFile(text) : text];
    }),
  );
}

/** What this package was tested with takes the place of each `*`. */
function withVersions(text: string, name: string, own: Manifest, cdktn: boolean): string {
  const known: Readonly<Record<string, string>> = {
    ...own.devDependencies,
    ...own.peerDependencies,
    [own.name]: `^${own.version}`,
  };
  const template = JSON.parse(text) as Installed;
  const versioned = (key: 'dependencies' | 'devDependencies') =>
    Object.fromEntries(
      Object.keys(template[key]).map((dependency) => [dependency, known[dependency] ?? '']),
    );
  const manifest = {
    ...template,
    name,
    dependencies: versioned('dependencies'),
    devDependencies: versioned('devDependencies'),
  };
  return written(cdktn ? cdktnManifest(manifest, known.cdktn ?? '') : manifest);
}

function written(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

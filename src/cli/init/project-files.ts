import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-folder.js';
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

/** The part of a package.json that says what is installed. */
interface Installed {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** cdktn 0.24 takes no newer one. */
const CONSTRUCTS = '>=10.6.0 <10.8.0';

/** A project of cdktn needs no package for the null provider. */
function cdktnManifest(manifest: Installed, cdktn: string): Installed {
  const { cdktf: _, '@cdktf/provider-null': __, ...dependencies } = manifest.dependencies;
  const { 'cdktf-cli': ___, ...devDependencies } = manifest.devDependencies;
  return {
    ...manifest,
    engines: { node: '>=22.19' },
    scripts: { ...manifest.scripts, synth: 'cdktn synth' },
    dependencies: sorted({ ...dependencies, cdktn, constructs: CONSTRUCTS }),
    devDependencies: sorted({ ...devDependencies, 'cdktn-cli': cdktn }),
  };
}

/** Any other file of a project, as cdktn needs it: imports, commands and the version of Node.js. */
function cdktnFile(text: string): string {
  return text
    .replaceAll("from 'cdktf'", "from 'cdktn'")
    .replaceAll("from 'cdktf-secure-connectivity'", "from 'cdktf-secure-connectivity/cdktn'")
    .replaceAll('cdktf synth', 'cdktn synth')
    .replaceAll('node-version: 22', 'node-version: 24')
    .replaceAll('node:22', 'node:24');
}

function sorted(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

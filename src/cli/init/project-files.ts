import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-folder.js';

interface Source {
  /** Its path in this package. */
  readonly from: string;
  /** Its path in the project. */
  readonly to: string;
  readonly edit?: (text: string, project: Project) => string;
}

interface Project {
  readonly name: string;
  readonly packageFolder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Every file of a project: the stacks of this package, its workflows, and what a project has besides. */
const SOURCES: readonly Source[] = [
  // A package.json of its own would hide the name of this package from the test beside it.
  { from: 'template/manifest.json', to: 'package.json', edit: withVersions },
  { from: 'template/cdktf.json', to: 'cdktf.json', edit: withProjectId },
  { from: 'template/tsconfig.json', to: 'tsconfig.json' },
  // npm packs no file that is called .gitignore.
  { from: 'template/gitignore', to: '.gitignore' },
  { from: 'template/README.md', to: 'README.md' },
  same('stacks/main.ts'),
  same('stacks/environment.ts'),
  same('stacks/api-access.ts'),
  same('stacks/plugin-access.ts'),
  { ...same('stacks/settings/production.json'), edit: withSchema },
  { ...same('stacks/settings/sandbox.json'), edit: withSchema },
  { from: 'template/test/access.test.ts', to: 'test/access.test.ts' },
  workflow('connectivity-review.yml', (text) =>
    text.replaceAll('staging production', 'production'),
  ),
  workflow('connectivity-deploy.yml'),
  workflow('connectivity-drift.yml'),
];

/** The files of a project, by their path in it. */
export function projectFiles(name: string): ReadonlyMap<string, string> {
  const project = { name, packageFolder: packageFolder() };
  return new Map(
    SOURCES.map(({ from, to, edit = (text) => text }) => {
      const text = readFileSync(join(project.packageFolder, from), 'utf8');
      return [to, edit(text, project)];
    }),
  );
}

function same(path: string): Source {
  return { from: path, to: path };
}

function workflow(file: string, edit?: Source['edit']): Source {
  const source = { from: `ci-templates/github/${file}`, to: `.github/workflows/${file}` };
  return edit === undefined ? source : { ...source, edit };
}

/** What this package was tested with takes the place of each `*`. */
function withVersions(text: string, { name, packageFolder }: Project): string {
  const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as Manifest;
  const known: Readonly<Record<string, string>> = {
    ...own.devDependencies,
    ...own.peerDependencies,
    [own.name]: `^${own.version}`,
  };
  const manifest = JSON.parse(text) as Record<string, unknown>;
  const versioned = (key: string) =>
    Object.fromEntries(
      Object.keys(manifest[key] as object).map((dependency) => [dependency, known[dependency]]),
    );
  return written({
    ...manifest,
    name,
    dependencies: versioned('dependencies'),
    devDependencies: versioned('devDependencies'),
  });
}

function withProjectId(text: string, { name }: Project): string {
  return written({ ...(JSON.parse(text) as object), projectId: name });
}

function withSchema(text: string): string {
  return text.replace('"../../dist/', '"../../node_modules/cdktf-secure-connectivity/dist/');
}

function written(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

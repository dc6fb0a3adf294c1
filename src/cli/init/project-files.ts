import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package/package-folder.js';

export interface ProjectOptions {
  /** True if the project is one of cdktf rather than of its successor, cdktn. */
  readonly cdktf?: boolean;
  readonly ci: Forge;
  /** True if tsx runs its TypeScript, for a Node.js that does not do so itself. */
  readonly tsx: boolean;
}

type Versions = Readonly<Record<string, string>>;

/** The part that is read of a package.json, this package's or the template's. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Versions;
  readonly peerDependencies?: Versions;
  readonly devDependencies: Versions;
  readonly overrides?: Versions;
}

/** The values that the files of a project depend on. */
interface Project extends ProjectOptions {
  readonly name: string;
  /** The manifest of this package. */
  readonly own: Manifest;
}

/** The files of a project, by their path in it. */
export function projectFiles(name: string, options: ProjectOptions): ReadonlyMap<string, string> {
  const folder = packageFolder();
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const project = { ...options, name, own: JSON.parse(read('package.json')) as Manifest };
  return new Map(
    [...SOURCES, ...JOBS[options.ci]].map(({ from, to, edit }) => {
      const text = edit === undefined ? read(from) : edit(read(from), project);
      return [to, options.cdktf || to === 'package.json' ? text : cdktnFile(text)];
    }),
  );
}

/** Replaces each `*` by the version that this package was tested with. */
function withVersions(text: string, { name, own, cdktf, tsx }: Project): string {
  const known: Versions = {
    ...own.devDependencies,
    ...own.peerDependencies,
    [own.name]: `^${own.version}`,
  };
  const plain = JSON.parse(text) as Manifest;
  const template = tsx ? tsxManifest(plain) : plain;
  const versioned = (names: Versions): Versions =>
    Object.fromEntries(Object.keys(names).map((one) => [one, known[one] ?? '']));
  const manifest = {
    ...template,
    name,
    dependencies: versioned(template.dependencies),
    devDependencies: versioned(template.devDependencies),
    overrides: versioned(template.overrides ?? {}),
  };
  return written(cdktf ? manifest : cdktnManifest(manifest, own.devDependencies));
}

function withName(text: string, { name, tsx }: Project): string {
  const config = JSON.parse(text) as { readonly app: string };
  const app = tsx ? withTsx(config.app) : config.app;
  return written({ ...config, app, projectId: name });
}

/** A project for every Node.js that this package runs on. */
function tsxManifest({ scripts, devDependencies, ...manifest }: Manifest): Manifest {
  const edited = Object.entries(scripts).map(([script, command]) => [script, withTsx(command)]);
  return {
    ...manifest,
    engines: { node: '>=20.19' },
    scripts: Object.fromEntries(edited),
    devDependencies: sorted({ ...devDependencies, tsx: '*' }),
  };
}

function withTsx(command: string): string {
  return command.replace(/\bnode (?=(?:--test )?\S+\.ts\b)/, 'node --import tsx ');
}

function written(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A project of cdktn needs no package for the null provider, and takes the constructs that this package was tested with. */
function cdktnManifest({ overrides: _, ...manifest }: Manifest, tested: Versions): Manifest {
  const { cdktn = '', constructs = '' } = tested;
  const { cdktf: __, '@cdktf/provider-null': ___, ...dependencies } = manifest.dependencies;
  return { ...manifest, dependencies: sorted({ ...dependencies, cdktn, constructs }) };
}

/** Any other file of a project, as cdktn needs it: its imports. */
function cdktnFile(text: string): string {
  return text
    .replaceAll("from 'cdktf'", "from 'cdktn'")
    .replaceAll("from 'cdktf-secure-connectivity'", "from 'cdktf-secure-connectivity/cdktn'");
}

function sorted(versions: Versions): Versions {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A file of a project, and where this package has its text. */
interface Source {
  /** Its path in this package. */
  readonly from: string;
  /** Its path in the project. */
  readonly to: string;
  readonly edit?: (text: string, project: Project) => string;
}

export const FORGES = ['github', 'gitlab', 'none'] as const;

type Forge = (typeof FORGES)[number];

/** The stacks of this package, and what a project has besides. */
const SOURCES: readonly Source[] = [
  // A package.json of its own would hide the name of this package from the test beside it.
  { from: 'shipped/template/manifest.json', to: 'package.json', edit: withVersions },
  { from: 'shipped/template/cdktf.json', to: 'cdktf.json', edit: withName },
  { from: 'shipped/template/tsconfig.json', to: 'tsconfig.json' },
  // npm packs no file that is called .gitignore.
  { from: 'shipped/template/gitignore', to: '.gitignore' },
  { from: 'shipped/template/README.md', to: 'README.md', edit: describeJobs },
  same('stacks/main.ts'),
  same('stacks/environment.ts'),
  same('stacks/api-access.ts'),
  same('stacks/plugin-access.ts'),
  { from: 'shipped/template/intents.json', to: 'stacks/intents.json' },
  { ...same('stacks/settings/production.json'), edit: settingsOfProject },
  { ...same('stacks/settings/sandbox.json'), edit: settingsOfProject },
  { from: 'shipped/template/test/access.test.ts', to: 'test/access.test.ts' },
];

const JOBS: Readonly<Record<Forge, readonly Source[]>> = {
  github: [
    {
      ...workflow('connectivity-review.yml'),
      edit: (text) => text.replaceAll('staging production', 'production'),
    },
    workflow('connectivity-deploy.yml'),
    workflow('connectivity-drift.yml'),
  ],
  gitlab: [
    {
      from: 'shipped/ci-templates/gitlab-secure-connectivity.yml',
      to: '.gitlab-ci.yml',
    },
  ],
  none: [],
};

const JOBS_OF_GITLAB =
  '- `.gitlab-ci.yml` reviews each merge request, deploys and checks after each merge, and looks for drift in scheduled pipelines. The variables and secrets that it needs are listed at its top.';

/** The template's line is about GitHub. */
function describeJobs(text: string, { ci }: Project): string {
  if (ci === 'github') return text;
  return text.replace(
    /^- `\.github\/workflows` .*\n/m,
    ci === 'gitlab' ? `${JOBS_OF_GITLAB}\n` : '',
  );
}

function same(path: string): Source {
  return { from: path, to: path };
}

function workflow(file: string): Source {
  return { from: `shipped/ci-templates/github/${file}`, to: `.github/workflows/${file}` };
}

/** The project has a file of intents, which the settings of this package's own stacks do not name. */
function settingsOfProject(text: string): string {
  return text
    .replace('"../../dist/', '"../../node_modules/cdktf-secure-connectivity/dist/')
    .replace(/\n\}\n$/, ',\n  "intents": "stacks/intents.json"\n}\n');
}

/** A file of a project, and where this package has its text. */
interface Source {
  /** Its path in this package. */
  readonly from: string;
  /** Its path in the project. */
  readonly to: string;
  readonly edit?: (text: string) => string;
}

/** The forges that a project can have jobs for. */
export const FORGES = ['github', 'gitlab', 'none'] as const;

export type Forge = (typeof FORGES)[number];

/** The stacks of this package, the jobs of the forge, and what a project has besides. */
export function projectSources(ci: Forge): readonly Source[] {
  return [
    // A package.json of its own would hide the name of this package from the test beside it.
    { from: 'template/manifest.json', to: 'package.json' },
    { from: 'template/cdktf.json', to: 'cdktf.json' },
    { from: 'template/tsconfig.json', to: 'tsconfig.json' },
    // npm packs no file that is called .gitignore.
    { from: 'template/gitignore', to: '.gitignore' },
    { from: 'template/README.md', to: 'README.md', edit: (text) => describeJobs(text, ci) },
    same('stacks/main.ts'),
    same('stacks/environment.ts'),
    same('stacks/api-access.ts'),
    same('stacks/plugin-access.ts'),
    { ...same('stacks/settings/production.json'), edit: withSchema },
    { ...same('stacks/settings/sandbox.json'), edit: withSchema },
    { from: 'template/test/access.test.ts', to: 'test/access.test.ts' },
    ...JOBS[ci],
  ];
}

const JOBS: Readonly<Record<Forge, readonly Source[]>> = {
  github: [
    workflow('connectivity-review.yml', (text) =>
      text.replaceAll('staging production', 'production'),
    ),
    workflow('connectivity-deploy.yml'),
    workflow('connectivity-drift.yml'),
  ],
  gitlab: [
    {
      from: 'ci-templates/gitlab-secure-connectivity.yml',
      to: '.gitlab-ci.yml',
      // There it is the configuration itself, which nothing includes.
      edit: (text) => text.replace(/^# Copy this file .*\n#\n/, ''),
    },
  ],
  none: [],
};

const JOBS_OF_GITLAB =
  '- `.gitlab-ci.yml` reviews each merge request, deploys and checks after each merge, and looks for drift in scheduled pipelines. The variables and secrets that it needs are listed at its top.';

/** The template's line is about GitHub. */
function describeJobs(text: string, ci: Forge): string {
  if (ci === 'github') return text;
  return text.replace(
    /^- `\.github\/workflows` .*\n/m,
    ci === 'gitlab' ? `${JOBS_OF_GITLAB}\n` : '',
  );
}

function same(path: string): Source {
  return { from: path, to: path };
}

function workflow(file: string, edit?: Source['edit']): Source {
  const source = { from: `ci-templates/github/${file}`, to: `.github/workflows/${file}` };
  return edit === undefined ? source : { ...source, edit };
}

function withSchema(text: string): string {
  return text.replace('"../../dist/', '"../../node_modules/cdktf-secure-connectivity/dist/');
}

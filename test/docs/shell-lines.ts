import { blocksOf } from './blocks.js';

/** The way in which a test runs a line of a shell block of the documents. */
export type Place =
  /** In a project whose stacks are deployed in a sandbox, by `sandbox -- LINE`. */
  | 'sandbox'
  /** In the same project, as it is: it starts a sandbox itself. */
  | 'itself'
  /** In a project of the example settings, without a cloud. */
  | 'production'
  /** Not as it is: why, and what does in its place. */
  | { readonly elsewhere: string };

export interface ShellLine {
  readonly page: string;
  readonly line: string;
}

/** Every command of the documents, in their order. */
export function shellLines(): ShellLine[] {
  return blocksOf('sh').flatMap(({ page, text }) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => ({ page, line })),
  );
}

const elsewhere = (reason: string): Place => ({ elsewhere: reason });

const PLACES: readonly (readonly [RegExp, Place])[] = [
  [/^npm install cdktf-/, elsewhere('asks the registry; heavy/consumers installs the package')],
  [
    /reach .*--intents/,
    elsewhere('needs a file of intents; review/intents and reach/intents judge one'),
  ],
  [/^npm ci /, elsewhere('in a clone; `.ci/run` runs the tests, and the demo')],
  [
    /^(cd connectivity|npm (install|test|run demo))$/,
    elsewhere('asks the registry; heavy/init runs it in the project that `init` makes'),
  ],
  [
    /^export |deploy api-access-production/,
    elsewhere('needs a real account; the sandbox is deployed in its place'),
  ],
  [
    /addresses check /,
    elsewhere('asks name servers of a network; cli/addresses asks some on loopback'),
  ],
  [/example-backend/, elsewhere('ends only when stopped; heavy/private-plugin starts it')],
  [/^nft /, elsewhere('changes this machine; render runs it confined')],
  [
    /^(git worktree|\(cd \.\.\/base)/,
    elsewhere('needs a remote; a second tree is there in its place'),
  ],
  [/^kubectl /, elsewhere('needs a cluster; render/kubernetes-check runs what the pods would run')],
  [
    /render kubernetes-check /,
    elsewhere('render/kubernetes-check runs it and compares the page with what it writes'),
  ],
  [
    /secure-connectivity exporter |127\.0\.0\.1:9464/,
    elsewhere('ends only when stopped; cli/exporter and heavy/prometheus start it and ask it'),
  ],
  [/secure-connectivity render /, elsewhere('docs/shell-blocks runs it, with what it writes')],
  [
    /secure-connectivity ready /,
    elsewhere('asks the service and the cloud of production; cli/ready asks those of a sandbox'),
  ],
  [
    /^conftest test /,
    elsewhere('is not installed everywhere; ci-templates/organization-rules runs it where it is'),
  ],
  [
    /terraform (init|-chdir=\S+ show)|--plan |--state /,
    elsewhere('asks the registry; review/plan reads one'),
  ],
  [/secure-connectivity rehearse /, elsewhere('takes minutes; heavy/rehearse rehearses changes')],
  [
    / --run-via /,
    elsewhere(
      'needs other machines; verify/run/via and heavy/namespace check from some of their own',
    ),
  ],
  [/^npx secure-connectivity sandbox /, 'itself'],
  [/ --import-blocks/, 'production'],
  [/ --base state:/, elsewhere('needs a state that was pulled; heavy/drift reads one')],
  [/secure-connectivity (verify|token|adopt|explain|reach --live|review --base live) /, 'sandbox'],
  [/secure-connectivity (synth|(init|reach|review) )/, 'production'],
];

/** Pages with a test of their own for all of their lines. */
const PAGES: Readonly<Record<string, Place>> = {
  'docs/first-deploy.md': elsewhere(
    'needs the package installed and not linked; heavy/synth installs it',
  ),
};

/** @returns undefined for a line that nobody has thought of */
export function placeOf({ page, line }: ShellLine): Place | undefined {
  return PAGES[page] ?? PLACES.find(([pattern]) => pattern.test(line))?.[1];
}

/** The part of a package.json that says what is installed. */
export interface Installed {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** cdktn 0.24 takes no newer one. */
const CONSTRUCTS = '>=10.6.0 <10.8.0';

/** A project of cdktn needs no package for the null provider. */
export function cdktnManifest(manifest: Installed, cdktn: string): Installed {
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
export function cdktnFile(text: string): string {
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

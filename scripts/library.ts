import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The entry points of a project, by their folders below `src` and `dist`. */
export const ENTRIES = ['.', 'service', 'verify', 'link', 'settings', 'review', 'testing'];

const { dependencies, peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, object>;
};
const installed = [...Object.keys(dependencies), ...Object.keys(peerDependenciesMeta)];

/** Jest cannot require an ES module, and jose is nothing else. */
const ONLY_ES_MODULES = ['jose'];

/** Names that differ in cdktf's continuation, and the binding that it does not have. */
const CDKTN = {
  cdktf: 'cdktn',
  '@cdktf/provider-null/lib/provider/index.js':
    './src/constructs/post-deploy-check/null-binding.ts',
  '@cdktf/provider-null/lib/resource/index.js':
    './src/constructs/post-deploy-check/null-binding.ts',
};

/**
 * Builds the entry points in both module forms, and again for cdktf's community continuation. What
 * npm installs with the package is imported; zod, which is mostly other things than code, is bundled.
 *
 * @returns the files that they consist of
 */
export async function buildLibrary(): Promise<string[]> {
  const entryPoints = ENTRIES.map((entry) => join('src', entry, 'index.ts'));
  const forCdktn = { entryPoints: ['src/index.ts'], alias: CDKTN };
  const inputs = await Promise.all([
    esModules('dist', { entryPoints }),
    esModules('dist/cdktn', forCdktn),
    commonJs('dist/cjs', { entryPoints }),
    commonJs('dist/cjs/cdktn', forCdktn),
  ]);
  await buildStacks();
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
  return inputs.flat();
}

/** The stacks, and the package that they import by its own name. */
const STACKS = ['stacks/environment.ts', 'stacks/module.ts'];
const OWN = 'cdktf-secure-connectivity';

/** Builds the stacks of settings for `synth`, which runs them without a project. */
async function buildStacks(): Promise<void> {
  const external = [...installed, OWN, `${OWN}/cdktn`];
  const options = { ...COMMON, entryPoints: STACKS, external };
  await Promise.all([
    build({ ...options, outdir: 'dist/stacks/cdktf' }),
    build({
      ...options,
      outdir: 'dist/stacks/cdktn',
      alias: { cdktf: 'cdktn', [OWN]: `${OWN}/cdktn` },
    }),
  ]);
}

const COMMON = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: 'shared/[hash]',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

async function esModules(outdir: string, options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({
    ...COMMON,
    ...options,
    metafile: true,
    outdir,
    external: installed,
  });
  return Object.keys(metafile.inputs);
}

/** The same modules with the same shared parts, each turned into CommonJS by itself. */
async function commonJs(outdir: string, options: BuildOptions): Promise<string[]> {
  const external = installed.filter((name) => !ONLY_ES_MODULES.includes(name));
  const { metafile } = await build({ ...COMMON, ...options, metafile: true, outdir, external });
  await build({
    entryPoints: Object.keys(metafile.outputs),
    outdir,
    outbase: outdir,
    allowOverwrite: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

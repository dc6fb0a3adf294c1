import { chmodSync } from 'node:fs';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { ownZodMini } from './own-zod-mini.js';
import { slimCommander } from './slim-commander.js';
import { slimUndici } from './slim-undici.js';

const COMMON = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  // CommonJS packages inside an ES module still ask for require().
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/**
 * What a check consists of, each in one file of its own: a file more costs a check more than the code
 * in it. The other commands share chunks.
 */
const WHOLE = {
  verify: { module: './verify.js', name: 'default' },
  'verify-links': { module: './verify/verify-links.js', name: 'verifyLinks' },
  'verify-targets': { module: './verify/verify-targets.js', name: 'verifyTargets' },
} as const;

/** Leaves the files that stand for themselves out of all others. */
const leaveOut: Plugin = {
  name: 'leave-out',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/verify/ }, ({ path, kind }) => {
      const found = Object.entries(WHOLE).find(([, { module }]) => module === path);
      return found && kind === 'dynamic-import'
        ? { path: `./${found[0]}.js`, external: true }
        : undefined;
    });
  },
};

const PLUGINS = [leaveOut, slimCommander, slimUndici, ownZodMini];

/** Bundles the program, so that a command starts fast. */
export async function bundleCommandLine(outdir: string): Promise<Metafile['inputs']> {
  const shared = build({
    ...COMMON,
    entryPoints: { 'cli/main': 'src/cli/main.ts', 'cli/terraform': 'src/cli/terraform.ts' },
    outdir,
    chunkNames: 'cli/[name]-[hash]',
    splitting: true,
    plugins: PLUGINS,
  });
  const whole = Object.entries(WHOLE).map(([file, { module, name }]) =>
    build({
      ...COMMON,
      stdin: { contents: reporting(module, name), resolveDir: 'src/cli', loader: 'ts' },
      outfile: `${outdir}/cli/${file}.js`,
      plugins: PLUGINS,
    }),
  );
  const results = await Promise.all([shared, ...whole]);
  for (const program of ['main', 'terraform']) chmodSync(`${outdir}/cli/${program}.js`, 0o755);
  return Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
}

/** An error is told by the bundle that made it: another has another class of the same name. */
function reporting(module: string, name: string): string {
  return `
    import { report } from './report-error.js';
    import { ${name} as run } from '${module}';
    const reporting: typeof run = (...args) => run(...args).catch(report);
    export { reporting as ${name} };
  `;
}

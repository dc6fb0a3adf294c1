import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/**
 * Takes the client of undici for its entry, where nothing else of it is used: a check then takes two
 * thirds of the CPU to start. Bundles alone may do so, for they hold the version that the lock names.
 */
export const UNDICI_CLIENT: Plugin = {
  name: 'undici-client',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      /[\\/]src[\\/]service[\\/]/.test(importer)
        ? { path: join(import.meta.dirname, 'undici-client.js') }
        : undefined,
    );
  },
};

/** For the oldest Node.js that the package runs on. */
const OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  metafile: true,
  legalComments: 'none',
  plugins: [UNDICI_CLIENT],
  logLevel: 'warning',
  // CommonJS packages inside an ES module still ask for require(), of modules of Node.js alone.
  banner: { js: 'const require = process.getBuiltinModule;' },
} satisfies BuildOptions;

/** Bundles the program; what a command needs alone is loaded with that command alone. */
export async function bundleCommandLine(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: {
      'cli/main': 'src/cli/main.ts',
      'cli/sandbox-terraform': 'src/cli/sandbox/terraform.ts',
    },
    outdir,
    chunkNames: 'cli/[name]-[hash]',
    splitting: true,
  });
  chmodSync(`${outdir}/cli/main.js`, 0o755);
  return metafile;
}

/** Bundles the check that is sent to a vantage point as one text; nothing but Node.js is there. */
export async function bundleCheck(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: { check: 'src/verify/far/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
  });
  return metafile;
}

import { chmodSync } from 'node:fs';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** For the oldest Node.js that the package runs on. */
const OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  // CommonJS packages inside an ES module still ask for require(), of modules of Node.js alone.
  banner: { js: 'const require = process.getBuiltinModule;' },
} as const satisfies BuildOptions;

/** Bundles the program; what a command needs alone is loaded with that command alone. */
export async function bundleCommandLine(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: {
      'cli/main': 'src/cli/main.ts',
      'cli/terraform': 'src/cli/deploy/terraform.ts',
      'cli/sandbox-terraform': 'src/cli/sandbox/terraform.ts',
    },
    outdir,
    chunkNames: 'cli/[name]-[hash]',
    splitting: true,
  });
  for (const program of ['main', 'terraform']) chmodSync(`${outdir}/cli/${program}.js`, 0o755);
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

import { chmodSync } from 'node:fs';
import { build, type Metafile } from 'esbuild';

/** Bundles the program; what a command needs alone is loaded with that command alone. */
export async function bundleCommandLine(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: {
      'cli/main': 'src/cli/main.ts',
      'cli/terraform': 'src/cli/terraform.ts',
      'cli/sandbox-terraform': 'src/cli/sandbox-terraform.ts',
    },
    outdir,
    chunkNames: 'cli/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS packages inside an ES module still ask for require(), of modules of Node.js alone.
    banner: { js: 'const require = process.getBuiltinModule;' },
  });
  for (const program of ['main', 'terraform']) chmodSync(`${outdir}/cli/${program}.js`, 0o755);
  return metafile;
}

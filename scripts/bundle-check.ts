import { build, type Metafile } from 'esbuild';

/**
 * Bundles the check that is sent to another place as one text, which finds nothing but Node.js there.
 */
export async function bundleCheck(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: { check: 'src/verify/far/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
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
  });
  return metafile;
}

import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { build as buildChunks } from 'rolldown';

/**
 * Takes the client of undici for its entry, where nothing else of it is used: a check then takes two
 * thirds of the CPU to start. Bundles alone may do so, for they hold the version that the lock names.
 */
function clientAlone(importer: string | undefined): string | undefined {
  return /[\\/]src[\\/]service[\\/]/.test(importer ?? '')
    ? join(import.meta.dirname, 'undici-client.js')
    : undefined;
}

export const UNDICI_CLIENT: Plugin = {
  name: 'undici-client',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^undici$/ }, ({ importer }) => {
      const path = clientAlone(importer);
      return path === undefined ? undefined : { path };
    });
  },
};

/**
 * What is loaded together, by the modules with which it begins, in the order in which it is taken with
 * all that it imports. Node.js takes longer to find and link a file than to read one of a hundred
 * kilobytes; left to themselves, the commands share their parts in eighty files.
 */
const TOGETHER = {
  begin: /src.(cli.run|package.package-folder)\.ts$/,
  zod: /node_modules.zod.(v4.)?(mini|core)./,
  client: /scripts.undici-client\.js$|node_modules.jose./,
  help: /src.cli.(?!main|run|explain)(\w+|(\w+).\2|program.arguments)\.ts$|node_modules.commander./,
  codes: /src.codes.codes\.ts$/,
  check: /src.(cli.verify.verify-links|verify.(run.verify(-here)?|reports.text))\.ts$/,
};

/**
 * Bundles the program; what a command needs alone is loaded with that command alone.
 *
 * @returns the files that it consists of
 */
export async function bundleCommandLine(outdir: string): Promise<string[]> {
  const parts = [
    bundleProgram(outdir, 'cli/main', 'src/cli/main.ts', TOGETHER),
    // It runs before each run of Terraform in a sandbox: with the chunks of the command it takes twice as long.
    bundleProgram(outdir, 'cli/sandbox-terraform', 'src/cli/sandbox/terraform.ts', {}),
  ];
  const files = (await Promise.all(parts)).flat();
  chmodSync(`${outdir}/cli/main.js`, 0o755);
  return [...new Set(files)];
}

async function bundleProgram(
  outdir: string,
  name: string,
  source: string,
  together: Readonly<Record<string, RegExp>>,
): Promise<string[]> {
  const { output } = await buildChunks({
    input: { [name]: source },
    platform: 'node',
    transform: { target: 'node20' },
    plugins: [
      {
        name: 'undici-client',
        resolveId: (name, importer) => (name === 'undici' ? clientAlone(importer) : undefined),
      },
    ],
    checks: { ineffectiveDynamicImport: false },
    output: {
      dir: outdir,
      format: 'esm',
      minify: true,
      comments: false,
      chunkFileNames: 'cli/[name]-[hash].js',
      codeSplitting: {
        groups: Object.entries(together).map(([name, test], i) => ({
          name,
          test,
          priority: 9 - i,
        })),
      },
    },
  });
  return output.flatMap((file) =>
    file.type === 'chunk' ? file.moduleIds.map((id) => relative('.', id)) : [],
  );
}

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

/** Bundles the check that is sent to a vantage point as one text; nothing but Node.js is there. */
export async function bundleCheck(outdir: string): Promise<string[]> {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: { check: 'src/verify/far/main.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
  });
  return Object.keys(metafile.inputs);
}

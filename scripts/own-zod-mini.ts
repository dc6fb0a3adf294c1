import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const OWN = 'zod-mini';

/**
 * Gives `zod/mini` a copy of the modules that it shares with the full `zod`. In common they would be
 * one chunk with all that any command needs of both, which a command that wants little would load too.
 */
export const ownZodMini: Plugin = {
  name: 'own-zod-mini',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^zod\/mini$/ }, () => ({
      path: fileURLToPath(import.meta.resolve('zod/mini')),
      namespace: OWN,
      sideEffects: false,
    }));
    onResolve({ filter: /^\./, namespace: OWN }, ({ path, importer }) => ({
      path: resolve(dirname(importer), path),
      namespace: OWN,
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: OWN }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
    }));
  },
};

import type { Plugin } from 'esbuild';

/**
 * Bundles commander without the part that starts commands as programs of their own: no command here is
 * one, and what starts processes takes longer to load than commander itself.
 */
export const slimCommander: Plugin = {
  name: 'slim-commander',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /node_modules\/commander\//.test(importer)
        ? { path: 'child_process', namespace: 'slim-commander' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'slim-commander' }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the entry point loads neither cdktf nor the check', async () => {
  const { metafile } = await build({
    entryPoints: ['src/service/index.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const files = Object.keys(metafile.inputs);
  const parts = new Set(files.map((file) => /^src\/([^/]+)\//.exec(file)?.[1]));
  const packages = new Set(
    files.map((file) => /^node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1]),
  );
  expect(parts).toEqual(new Set(['service', 'codes', 'net', undefined]));
  expect(packages).toEqual(new Set(['undici', undefined]));
});

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A package as `npm pack` makes it. */
interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

export interface Registry {
  /** The URL that npm takes as `registry`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * An npm registry on loopback: it has this package, and sends for every other to the configured one.
 *
 * @param installed names of packages that it has too, as they are installed here
 */
export async function startRegistry(
  scratch: string,
  installed: readonly string[] = [],
): Promise<Registry> {
  const folders = ['.', ...installed.map((name) => `./node_modules/${name}`)];
  const packed = folders.map((folder, i) => pack(folder, join(scratch, String(i))));
  const others = run('npm', ['config', 'get', 'registry']).trim().replace(/\/$/, '');
  const server = createServer(({ url: path = '/' }, response) => {
    const own = packed.find(({ manifest: { name } }) =>
      [`/${name}`, `/${name}.tgz`].includes(path),
    );
    if (own === undefined) response.writeHead(307, { location: `${others}${path}` }).end();
    else response.end(path.endsWith('.tgz') ? own.tarball : JSON.stringify(describe(own, url)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url, stop };
}

function pack(source: string, folder: string): Packed {
  mkdirSync(folder, { recursive: true });
  run('npm', ['pack', source, '--ignore-scripts', '--pack-destination', folder]);
  const file = join(folder, readdirSync(folder).find((one) => one.endsWith('.tgz')) ?? '');
  const manifest = JSON.parse(run('tar', ['-xzOf', file, 'package/package.json']));
  return { manifest, tarball: readFileSync(file) };
}

/** The answer of a registry for the name of a package. */
function describe({ manifest, tarball }: Packed, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${url}/${name}.tgz`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

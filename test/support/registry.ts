import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A package as `npm pack` makes it. */
interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

export interface Registry {
  /** What npm takes as `registry`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** An npm registry on loopback: it has this package, and sends for every other to the configured one. */
export async function startRegistry(scratch: string): Promise<Registry> {
  const packed = pack(scratch);
  const { name } = packed.manifest;
  const others = run('npm', ['config', 'get', 'registry']).trim().replace(/\/$/, '');
  const server = createServer(({ url: path = '/' }, response) => {
    if (path === `/${name}`) response.end(JSON.stringify(describe(packed, url)));
    else if (path === `/${name}.tgz`) response.end(packed.tarball);
    else response.writeHead(307, { location: `${others}${path}` }).end();
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

function pack(folder: string): Packed {
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const file = join(folder, readdirSync(folder).find((one) => one.endsWith('.tgz')) ?? '');
  const manifest = JSON.parse(run('tar', ['-xzOf', file, 'package/package.json']));
  return { manifest, tarball: readFileSync(file) };
}

/** What a registry answers for the name of a package. */
function describe({ manifest, tarball }: Packed, url: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${url}/${name}.tgz`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

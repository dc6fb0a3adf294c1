import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A package as `npm pack` makes it. */
interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

/** A package as `npm publish` sends it. */
export interface Published extends Packed {
  /** The value of the header `authorization`. */
  readonly authorization: string | undefined;
}

export interface Registry {
  /** The URL that npm takes as `registry`. */
  readonly url: string;
  /** What was published to it, oldest first. */
  readonly published: readonly Published[];
  stop(): Promise<void>;
}

/**
 * An npm registry on loopback: it has this package, and sends for every other to the configured one.
 *
 * @param installed names of packages that it has too, as they are installed here
 * @param own folders of packages that it has from the start
 */
export async function startRegistry(
  scratch: string,
  installed: readonly string[] = [],
  own: readonly string[] = ['.'],
): Promise<Registry> {
  const folders = [...own, ...installed.map((name) => `./node_modules/${name}`)];
  const packed = folders.map((folder, i) => pack(folder, join(scratch, String(i))));
  const others = run('npm', ['config', 'get', 'registry']).trim().replace(/\/$/, '');
  const published: Published[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '/' } = request;
    if (request.method === 'PUT') {
      published.push(await readPublished(request));
      response.writeHead(201).end('{}');
      return;
    }
    const found = [...published, ...packed].find(({ manifest: { name } }) =>
      [`/${name}`, `/${name}.tgz`].includes(path),
    );
    if (found === undefined) response.writeHead(307, { location: `${others}${path}` }).end();
    else response.end(path.endsWith('.tgz') ? found.tarball : JSON.stringify(describe(found, url)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url, published, stop };
}

async function readPublished(request: IncomingMessage): Promise<Published> {
  const { versions, _attachments } = JSON.parse(await text(request)) as {
    readonly versions: Readonly<Record<string, Packed['manifest']>>;
    readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
  };
  const [manifest = { name: '', version: '' }] = Object.values(versions);
  const [{ data } = { data: '' }] = Object.values(_attachments);
  const { authorization } = request.headers;
  return { manifest, tarball: Buffer.from(data, 'base64'), authorization };
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

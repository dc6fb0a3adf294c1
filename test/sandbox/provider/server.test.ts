import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeServerCertificate } from '../../../src/sandbox/provider/server-certificate.js';
import { StandInTerraform } from './stand-in-terraform.js';

const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
const SCHEMA = '/tfplugin6.Provider/GetProviderSchema';
const SHUTDOWN = '/plugin.GRPCController/Shutdown';

type Identity = Awaited<ReturnType<typeof makeServerCertificate>>;

let terraform: StandInTerraform;
let identity: Identity;
const children: ChildProcess[] = [];

beforeAll(async () => {
  terraform = await StandInTerraform.start();
  identity = await makeServerCertificate();
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(() => terraform.stop());

function environment(changes: Record<string, string> = {}) {
  return {
    ...terraform.environment,
    TF_PLUGIN_MAGIC_COOKIE: COOKIE,
    PLUGIN_CLIENT_CERT: identity.cert,
    ...changes,
  };
}

/** Starts a provider, or something that starts one, and waits for the handshake. */
async function start(command: readonly string[], changes: Record<string, string> = {}) {
  const child = spawn(process.execPath, command, { env: environment(changes) });
  children.push(child);
  const gone = new Promise<number | null>((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve) =>
    createInterface(child.stdout).once('line', resolve),
  );
  const [core, protocol, network, address = '', kind, certificate = ''] = line.split('|');
  const target = network === 'unix' ? `unix:${address}` : address;
  const pem = new X509Certificate(Buffer.from(certificate, 'base64')).toString();
  return { child, gone, handshake: [core, protocol, network, kind], address, target, pem };
}

function call(
  { target, pem }: { target: string; pem: string },
  method: string,
  who?: Identity,
): Promise<Buffer> {
  const own = who === undefined ? [null, null] : [Buffer.from(who.key), Buffer.from(who.cert)];
  const channel = credentials.createSsl(Buffer.from(pem), own[0], own[1]);
  const client = new Client(target, channel, { 'grpc.ssl_target_name_override': 'localhost' });
  const same = (bytes: Buffer) => bytes;
  return new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest(
      method,
      same,
      same,
      Buffer.alloc(0),
      (error: ServiceError | null, answer) =>
        error ? reject(error) : resolve(answer ?? Buffer.alloc(0)),
    );
  }).finally(() => client.close());
}

describe('the provider process', () => {
  it('is refused by hand', async () => {
    const child = spawn(process.execPath, [terraform.executable('null')], {
      env: { PATH: process.env.PATH },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(said).toBe(
      'terraform provider: this is a Terraform provider: Terraform starts it, not a person\n',
    );
  });

  it('shakes hands over a socket, ends when told to and leaves no socket', async () => {
    const provider = await start([terraform.executable('null')]);
    expect(provider.handshake).toEqual(['1', '6', 'unix', 'grpc']);
    expect((await call(provider, SCHEMA, identity)).toString('latin1')).toContain('null_resource');
    await call(provider, SHUTDOWN, identity);
    expect(await provider.gone).toBe(0);
    expect(existsSync(dirname(provider.address))).toBe(false);
  });

  it('takes TCP where the folder for temporary files has too long a name', async () => {
    const folder = join(terraform.environment.HOME ?? '', 'long'.repeat(30));
    mkdirSync(folder);
    const provider = await start([terraform.executable('volcenginecc')], { TMPDIR: folder });
    expect(provider.handshake).toEqual(['1', '6', 'tcp', 'grpc']);
    expect(provider.address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await call(provider, SCHEMA, identity)).length).toBeGreaterThan(1000);
  });

  it('lets nobody in but the client it was told of', async () => {
    const provider = await start([terraform.executable('null')]);
    const refused = { code: status.UNAVAILABLE };
    await expect(call(provider, SCHEMA)).rejects.toMatchObject(refused);
    await expect(call(provider, SCHEMA, await makeServerCertificate())).rejects.toMatchObject(
      refused,
    );
    await call(provider, SCHEMA, identity);
  });

  it('outlives an interrupt', async () => {
    const provider = await start([terraform.executable('null')]);
    provider.child.kill('SIGINT');
    expect((await call(provider, SCHEMA, identity)).length).toBeGreaterThan(0);
  });

  it('ends when Terraform is gone', async () => {
    const parent = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(
      terraform.executable('null'),
    )}], { stdio: 'inherit' })`;
    const provider = await start(['-e', parent]);
    provider.child.kill('SIGKILL');
    // The provider holds the same output open: it closes when the provider ends.
    await provider.gone;
    expect(existsSync(dirname(provider.address))).toBe(false);
  });
});

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { buildEndpoint, dial, sandboxForTest, temporaryFolder } from './support.js';

describe('a sandbox', () => {
  test('continues where the last one in its folder stopped', async () => {
    const stateFolder = temporaryFolder();
    const first = await startSandbox({ stateFolder, terraform: false });
    buildEndpoint(first.cloud);
    await first.stop();
    const second = await sandboxForTest({ stateFolder });
    expect(second.resources()).toEqual(first.resources());
    expect(second.env.SECURE_CONNECTIVITY_KEY_ID).toBe(first.env.SECURE_CONNECTIVITY_KEY_ID);
    expect(readFileSync(second.files.connectTo, 'utf8')).toContain(
      `10.20.1.1:443:127.0.0.1:${second.ports.https}`,
    );
  });

  test('opens its folder to this user alone, also one that was open to others', async () => {
    const stateFolder = temporaryFolder();
    for (const mode of [0o755, 0o777]) {
      chmodSync(stateFolder, mode);
      const sandbox = await startSandbox({ stateFolder, terraform: false });
      expect(statSync(stateFolder).mode & 0o777).toBe(0o700);
      await sandbox.stop();
    }
  });

  test('closes every port when it is stopped, but for one that lets nobody in', async () => {
    const sandbox = await startSandbox({ stateFolder: temporaryFolder(), terraform: false });
    const { dns: _, 'black-hole': blackHole, ...ports } = sandbox.ports;
    await sandbox.stop();
    const outcomes = await Promise.all(Object.values(ports).map((port) => dial(port)));
    expect(new Set(outcomes)).toEqual(new Set(['refused']));
    expect(await dial(blackHole)).toBe('silent');
  });

  test('names its proxy only while a fault puts it in the way', async () => {
    const sandbox = await sandboxForTest({ faults: ['proxy-refuses'] });
    const { SECURE_CONNECTIVITY_PROXY: proxy = '' } = sandbox.env;
    const { hostname, port } = new URL(proxy);
    expect([hostname, await dial(Number(port))]).toEqual(['127.0.0.1', 'connected']);
    sandbox.faults.clear();
    expect(sandbox.env).not.toHaveProperty('SECURE_CONNECTIVITY_PROXY');
    sandbox.faults.set('proxy-intercepts');
    expect(sandbox.env.SECURE_CONNECTIVITY_PROXY).toBe(proxy);
  });

  test('keeps a second one out of its folder, and a dead one does not', async () => {
    const stateFolder = temporaryFolder();
    const first = await startSandbox({ stateFolder, terraform: false });
    const second = startSandbox({ stateFolder, terraform: false });
    await expect(second).rejects.toThrow(
      `in use by another sandbox (process ${process.pid}): stop it`,
    );
    expect(readdirSync(first.files.lock)).toHaveLength(1);
    await first.stop();
    expect(existsSync(first.files.lock)).toBe(false);
    mkdirSync(first.files.lock);
    writeFileSync(join(first.files.lock, '4194304-1'), '');
    // The number was given to another process since.
    writeFileSync(join(first.files.lock, `${process.pid}-1`), '');
    const third = await sandboxForTest({ stateFolder });
    expect(readdirSync(third.files.lock)).toHaveLength(1);
  });

  test('serves the stand-in providers of both registries while it runs, and installs none', async () => {
    const stateFolder = temporaryFolder();
    const sandbox = await startSandbox({ stateFolder });
    const { TF_REATTACH_PROVIDERS = '', TF_CLI_CONFIG_FILE = '' } = sandbox.env;
    const providers = JSON.parse(TF_REATTACH_PROVIDERS) as Record<string, Reattachment>;
    expect(Object.keys(providers).sort()).toEqual([
      'registry.opentofu.org/hashicorp/null',
      'registry.opentofu.org/volcengine/volcenginecc',
      'registry.terraform.io/hashicorp/null',
      'registry.terraform.io/volcengine/volcenginecc',
    ]);
    const dialAll = () =>
      Promise.all(
        Object.values(providers).map(({ Addr }) => dial(Number(Addr.String.split(':')[1]))),
      );
    expect(new Set(await dialAll())).toEqual(new Set(['connected']));
    expect(readFileSync(TF_CLI_CONFIG_FILE, 'utf8')).toContain('provider_installation {}');
    await sandbox.stop();
    expect(new Set(await dialAll())).toEqual(new Set(['refused']));
  });

  test('uses genuine providers where a mirror of them is given', async () => {
    const providerMirror = temporaryFolder();
    const { env } = await sandboxForTest({ terraform: true, providerMirror });
    expect(readFileSync(env.TF_CLI_CONFIG_FILE ?? '', 'utf8')).toContain(
      `path = "${providerMirror}"`,
    );
    expect(env).not.toHaveProperty('TF_REATTACH_PROVIDERS');
  });
});

interface Reattachment {
  readonly Addr: { readonly String: string };
}

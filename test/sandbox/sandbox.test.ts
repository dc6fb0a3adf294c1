import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

  test('closes every port when it is stopped', async () => {
    const sandbox = await startSandbox({ stateFolder: temporaryFolder(), terraform: false });
    const { dns: _, ...ports } = sandbox.ports;
    await sandbox.stop();
    const outcomes = await Promise.all(Object.values(ports).map((port) => dial(port)));
    expect(new Set(outcomes)).toEqual(new Set(['refused']));
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

  test('lays out the stand-in providers as Terraform looks for them', async () => {
    const providerBundle = join(temporaryFolder(), 'provider.cjs');
    writeFileSync(providerBundle, '#!/usr/bin/env node\n');
    const { files, env } = await sandboxForTest({ terraform: true, providerBundle });
    const configuration = readFileSync(env.TF_CLI_CONFIG_FILE ?? '', 'utf8');
    expect(configuration).toContain(`path = "${files.mirror}"`);
    expect(configuration).not.toContain('direct');
    expect(existsSync(join(files.provider, 'cert.pem'))).toBe(true);
    expect(statSync(join(files.provider, 'key.pem')).mode & 0o777).toBe(0o600);
    const [platform] = await platforms(files.mirror);
    for (const [source, file] of [
      ['volcengine/volcenginecc/0.0.53', 'terraform-provider-volcenginecc_v0.0.53.cjs'],
      ['hashicorp/null/3.2.4', 'terraform-provider-null_v3.2.4.cjs'],
    ] as const) {
      const [host = ''] = await names(files.mirror);
      const provider = join(files.mirror, host, source, platform ?? '', file);
      expect(statSync(provider).mode & 0o777).toBe(0o755);
    }
  });

  test('says so where the stand-in providers are not built', async () => {
    const start = startSandbox({
      stateFolder: temporaryFolder(),
      providerBundle: join(temporaryFolder(), 'none.cjs'),
    });
    await expect(start).rejects.toThrow('the stand-in providers are not built');
  });

  test('uses genuine providers where a mirror of them is given', async () => {
    const providerMirror = temporaryFolder();
    const { env, files } = await sandboxForTest({ terraform: true, providerMirror });
    expect(readFileSync(env.TF_CLI_CONFIG_FILE ?? '', 'utf8')).toContain(
      `path = "${providerMirror}"`,
    );
    expect(existsSync(files.mirror)).toBe(false);
  });
});

async function names(folder: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  return readdir(folder);
}

async function platforms(mirror: string): Promise<string[]> {
  const [host = ''] = await names(mirror);
  return names(join(mirror, host, 'hashicorp/null/3.2.4'));
}

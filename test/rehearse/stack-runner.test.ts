import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RehearsedStack, readRehearsedTree } from '../../src/rehearse/read-trees.js';
import { placeStack, StackRunner, stackFolder } from '../../src/rehearse/stage/stack-runner.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-runner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stack of a tree, with these files. */
function stack(
  files: Readonly<Record<string, string>>,
  json: object = { output: { a: { value: 1 } } },
): RehearsedStack {
  const tree = mkdtempSync(join(folder, 'tree-'));
  const own = join(tree, 'stacks', 'api');
  mkdirSync(own, { recursive: true });
  for (const [name, text] of Object.entries({ 'cdk.tf.json': JSON.stringify(json), ...files })) {
    writeFileSync(join(own, name), text);
  }
  const [only] = readRehearsedTree(tree, '--head');
  if (only === undefined) throw new Error('the tree has no stack');
  return only;
}

function place(placed: RehearsedStack): string {
  placeStack(folder, placed, [placed]);
  return stackFolder(folder, placed.name);
}

test('keeps what `terraform init` wrote when the head takes the place of the base', () => {
  const target = place(stack({ 'of-the-base.txt': '' }));
  mkdirSync(join(target, '.terraform'));
  writeFileSync(join(target, '.terraform.lock.hcl'), 'locked');
  place(stack({}));
  expect(readFileSync(join(target, '.terraform.lock.hcl'), 'utf8')).toBe('locked');
  expect(existsSync(join(target, '.terraform'))).toBe(true);
  expect(existsSync(join(target, 'of-the-base.txt'))).toBe(false);
});

test("takes no lock or state of the tree's own folder", () => {
  const target = place(stack({ '.terraform.lock.hcl': 'of the tree', 'terraform.tfstate': '{}' }));
  expect(existsSync(join(target, '.terraform.lock.hcl'))).toBe(false);
  expect(existsSync(join(target, 'terraform.tfstate'))).toBe(false);
});

describe('ends a Terraform that takes more than it may', () => {
  const LIMITS = { ms: 60_000, memoryMiB: 4096, outputMiB: 64 };

  /** Runs a shell script in the place of Terraform. */
  async function run(
    script: string,
    limits: Partial<typeof LIMITS>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const program = join(folder, 'terraform');
    writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('TERRAFORM_BINARY_NAME', program);
    onTestFinished(() => void vi.unstubAllEnvs());
    const env = { PATH: process.env.PATH ?? '' };
    const runner = new StackRunner(folder, env, signal, { ...LIMITS, ...limits });
    return await runner.run(stack({}), ['plan']);
  }

  test('time', async () => {
    await expect(run('exec sleep 600', { ms: 300 })).rejects.toThrow(
      'got: more than 0.005 minutes',
    );
  });

  test('output', async () => {
    await expect(run('exec yes', { outputMiB: 1 })).rejects.toThrow('more than 1 MiB of output');
  });

  test('memory, which its processes cannot have', async () => {
    const script = 'echo "fatal error: runtime: cannot allocate memory"; ulimit -v; exit 2';
    await expect(run(script, { memoryMiB: 100 })).rejects.toThrow('more than 100 MiB of memory');
    const shown = run('ulimit -v; exit 1', { memoryMiB: 100 });
    await expect(shown).rejects.toThrow(
      'without a network; give a folder of its providers with `--provider-mirror`, got: 102400',
    );
  });

  test('and is there until it has ended, when it is interrupted', async () => {
    // Terraform kills the process of a provider that goes away first, and that is the rehearsal's own.
    const [started, ended] = [join(folder, 'started'), join(folder, 'ended')];
    const script = `trap 'sleep 0.3; touch ${ended}; exit 1' TERM; touch ${started}; while :; do sleep 0.05; done`;
    const controller = new AbortController();
    const running = run(script, {}, controller.signal);
    await vi.waitUntil(() => existsSync(started), { timeout: 60_000 });
    controller.abort();
    await expect(running).rejects.toThrow('aborted');
    expect(existsSync(ended)).toBe(true);
  });
});

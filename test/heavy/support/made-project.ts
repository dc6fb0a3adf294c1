import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Registry, startRegistry } from '../../support/registry.js';
import { type Ran, runProgram } from './consumer.js';

/** A project as `init` makes it, with everything that it names installed from a registry on loopback. */
export class MadeProject {
  readonly #scratch = mkdtempSync(join(tmpdir(), 'made-'));
  readonly #tools = join(this.#scratch, 'tools', 'node_modules');
  readonly folder = join(this.#scratch, 'agents');

  /**
   * @param tools the Node.js and the npm to use, as npm names versions
   * @param flags of `init`
   * @param more packages that the user adds
   */
  async make(
    tools: { node: string; npm: string },
    flags: readonly string[],
    more: readonly string[] = [],
  ): Promise<void> {
    mkdirSync(join(this.#scratch, 'packed'));
    await this.#expect('npm', [
      ...['install', '--prefix', join(this.#scratch, 'tools'), '--no-save', '--prefer-offline'],
      ...[`node@${tools.node}`, `npm@${tools.npm}`],
    ]);
    const registry = await startRegistry(join(this.#scratch, 'packed'));
    try {
      await this.#install(registry, flags, more);
    } finally {
      await registry.stop();
    }
  }

  async #install({ url }: Registry, flags: readonly string[], more: readonly string[]) {
    await this.#expect('node', [resolve('dist/cli/main.js'), 'init', this.folder, ...flags]);
    await this.#expect('npm', ['install', '--registry', url], this.folder);
    if (more.length === 0) return;
    await this.#expect('npm', ['install', '--save-dev', '--registry', url, ...more], this.folder);
  }

  /** Runs a command of the project with its Node.js and npm. */
  run(command: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const [program = '', ...args] = command.split(' ');
    return this.#run(program, args, this.folder, env);
  }

  stop(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #expect(program: string, args: readonly string[], folder = '.'): Promise<void> {
    const { status, output } = await this.#run(program, args, folder);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`);
  }

  #run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    const path = [join(this.#tools, '.bin'), process.env.PATH].join(delimiter);
    return runProgram(program, args, { cwd, env: { ...env, PATH: path } });
  }
}

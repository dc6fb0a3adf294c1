import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startRegistry } from '../../support/registry.js';

export interface Ran {
  readonly status: number;
  readonly output: string;
}

/** Runs a program as a user would, with what is given besides in its environment. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const { CONNECTIVITY_ENV: _, ...own } = process.env;
  const options = { cwd, env: { ...own, CI: 'true', ...env }, maxBuffer: 2 ** 26 };
  return new Promise((done) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code ?? 1);
      done({ status, output: stdout + stderr });
    });
  });
}

const CONTEXT = { excludeStackIdFromLogicalIds: 'true', allowSepCharsInLogicalIds: 'true' };

/** The files that `cdktf init` writes. */
export function projectFile(app: string): string {
  const project = { language: 'typescript', app, projectId: 'consumer', sendCrashReports: 'false' };
  return JSON.stringify({ ...project, context: CONTEXT });
}

export const ES_MODULES = {
  'package.json': '{ "type": "module" }',
  'cdktf.json': projectFile('node --import tsx main.ts'),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { module: 'NodeNext', target: 'ES2023', strict: true, types: ['node'] },
  }),
};

/** A folder outside of the repository, with the packed package and others installed. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), 'consumer-'));

  async install(packages: readonly string[]): Promise<void> {
    const registry = await startRegistry(this.folder);
    writeFileSync(join(this.folder, 'package.json'), '{ "private": true }');
    const options = ['--prefer-offline', '--loglevel=error', '--registry', registry.url];
    try {
      const names = ['cdktf-secure-connectivity', ...packages];
      await this.#expect('npm', ['install', ...options, ...names], this.folder);
    } finally {
      await registry.stop();
    }
  }

  /** Makes a project that finds what is installed. */
  project(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    for (const file of ['stack.ts', 'main.ts']) {
      cpSync(join('test', 'heavy', 'projects', file), join(folder, file));
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return folder;
  }

  /** Runs a program that is installed. */
  run(folder: string, program: string, args: readonly string[]): Promise<Ran> {
    const path = [join(this.folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
    return runProgram(program, args, { cwd: folder, env: { PATH: path } });
  }

  /** Deploys the stack to a sandbox in the project's folder. */
  deploy(folder: string): Promise<Ran> {
    const deploy = ['secure-connectivity', 'deploy', 'agent-service', '--auto-approve'];
    return this.run(folder, 'secure-connectivity', ['sandbox', '--', ...deploy]);
  }

  /** Runs an app as the command of cdktf would, and answers the stack without what differs by tool or folder. */
  async synth(folder: string, app: string): Promise<unknown> {
    const context = `CDKTF_CONTEXT_JSON=${JSON.stringify(CONTEXT)}`;
    await this.#expect('env', [context, 'node', app], folder);
    return this.synthesized(folder);
  }

  synthesized(folder: string): unknown {
    const file = join(folder, 'cdktf.out', 'stacks', 'agent-service', 'cdk.tf.json');
    const written = readFileSync(file, 'utf8');
    // Where this package deploys, a path from the stack's folder stands for that of the project.
    const text = written.replaceAll(folder, '').replaceAll('"../../../', '"/');
    return JSON.parse(text, (key, value) => (key === '//' ? undefined : value));
  }

  stop(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #expect(program: string, args: readonly string[], folder: string): Promise<void> {
    const { status, output } = await this.run(folder, program, args);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`);
  }
}

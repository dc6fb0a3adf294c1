import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { packageFolder } from '../../../package/package-folder.js';
import { coloured } from '../../program/output.js';
import { NO_COMMAND, SANDBOX_COMMAND_VARIABLE } from '../../program/own-command.js';
import { forwarding, signalStatus } from '../../program/signals.js';
import { DemoView } from './view.js';

/** The end of a demo that does not show what it should. */
export class DemoEnded extends Error {
  /** @param output what the command printed that did otherwise */
  constructor(
    message: string,
    readonly output: string,
    readonly status = 1,
  ) {
    super(message);
  }
}

interface Ran {
  readonly status: number;
  readonly stdout: string;
  /** Both streams. */
  readonly output: string;
}

interface Deploy {
  /** The exit status to see. */
  readonly expected: number;
  /** A code that the output must name. @default - none */
  readonly code?: string;
  /** The stack whose report is shown. @default - none */
  readonly reportOf?: string;
  /** Options of the sandbox. @default - none */
  readonly sandbox?: readonly string[];
}

interface Options {
  readonly settings: string;
  /** Options of the sandbox of each command. */
  readonly sandbox: readonly string[];
  /** True if all that the commands print is shown. */
  readonly isVerbose: boolean;
}

/** Runs commands of this program in a sandbox, whose cloud lives on between them. */
export class DemoCommands {
  constructor(
    private readonly scratch: string,
    private readonly options: Options,
  ) {}

  async deploy(stacks: readonly string[], deploy: Deploy): Promise<void> {
    await this.#change(['deploy', ...stacks], deploy);
  }

  async destroy(stacks: readonly string[]): Promise<void> {
    await this.#change(['destroy', ...stacks], { expected: 0 });
  }

  /** Runs what the service's side does. */
  async ask(args: readonly string[]): Promise<Ran> {
    announce([], ['sandbox', ...args]);
    const ran = await this.#run(['sandbox', ...args], [], (line) => {
      if (/^(call|private connection): /.test(line)) this.#print(line);
    });
    expectEnd(ran, { expected: 0 });
    return ran;
  }

  /** Finds the one output of a deployed stack that has such a value. */
  find(value: RegExp, stack: string): string {
    const text = readFileSync(this.#outputs, 'utf8');
    const outputs = JSON.parse(text) as Record<string, Record<string, unknown>>;
    const values = Object.values(outputs[stack] ?? {});
    const found = values.find((one) => typeof one === 'string' && value.test(one));
    if (found !== undefined) return String(found);
    throw new DemoEnded(`no output of ${stack} is ${value}`, text);
  }

  get #outputs(): string {
    return join(this.scratch, 'outputs.json');
  }

  async #change(args: readonly string[], { sandbox = [], ...deploy }: Deploy): Promise<void> {
    const view = new DemoView((line) => this.#print(line), deploy.reportOf);
    const flags = ['--auto-approve', '--output', join(this.scratch, 'cdktf.out')];
    const outputs = args[0] === 'deploy' ? ['--outputs-file', this.#outputs] : [];
    const own = [...this.options.sandbox, ...sandbox];
    announce(own, [...args, '--auto-approve']);
    const ran = await this.#run([...args, ...flags, ...outputs], own, (line) => view.take(line));
    expectEnd(ran, deploy);
  }

  #run(args: readonly string[], own: readonly string[], show: (line: string) => void) {
    const program = [process.execPath, join(packageFolder(), 'dist', 'cli', 'main.js')];
    const sandbox = ['sandbox', '--state', join(this.scratch, 'sandbox'), ...own, '--'];
    const [node = '', ...words] = [...program, ...sandbox, ...program, ...args];
    const env = {
      ...process.env,
      CONNECTIVITY_ENV: 'sandbox',
      CONNECTIVITY_SETTINGS: this.options.settings,
      [SANDBOX_COMMAND_VARIABLE]: NO_COMMAND,
      // The broken deploy waits this long for an answer that never comes.
      SECURE_CONNECTIVITY_TIMEOUT: '6s',
      NO_COLOR: '1',
    };
    const start = () => spawn(node, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
    return readRun(start, this.options.isVerbose ? (line) => this.#print(line) : show);
  }

  #print(line: string): void {
    process.stdout.write(`${line === '' ? '' : `  ${line}`}\n`);
  }
}

/** Shows the command that does the same by hand. */
function announce(own: readonly string[], args: readonly string[]): void {
  const words = ['sandbox', ...own, '--', 'secure-connectivity', ...args];
  process.stdout.write(`${coloured('dim', `$ secure-connectivity ${words.join(' ')}`)}\n`);
}

/** Takes each line of a command as it comes, and answers its end; a signal ends it and the demo. */
async function readRun(
  start: () => ChildProcessByStdio<null, Readable, Readable>,
  take: (line: string) => void,
): Promise<Ran> {
  const texts = { stdout: '', output: '' };
  const { status, asked } = await forwarding(() => {
    const child = start();
    for (const name of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[name] }).on('line', (text) => {
        const line = stripVTControlCharacters(text);
        texts.output += `${line}\n`;
        if (name === 'stdout') texts.stdout += `${line}\n`;
        take(line);
      });
    }
    return child;
  });
  if (asked !== undefined) throw new DemoEnded('interrupted', '', signalStatus(asked));
  return { status, ...texts };
}

function expectEnd({ status, output }: Ran, { expected, code = '' }: Deploy): void {
  if (status === expected && output.includes(code)) return;
  const named = code === '' ? '' : ` with ${code}`;
  throw new DemoEnded(`expected status ${expected}${named}, got: ${status}`, output);
}

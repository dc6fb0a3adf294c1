import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { RawRule } from '../../src/access/access-file.js';
import { ACCESS_SCHEMA } from '../../src/access/access-model.js';
import { encodeLinks, type Links } from '../../src/link/link.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { exitOf } from '../../src/verify/model/verdict.js';
import { type Verification, verificationSchema } from '../../src/verify/model/verification.js';
import { DeployedCloud } from '../live/deployed-cloud.js';
import { temporaryFolder } from '../sandbox/support.js';
import { runHere } from './run-here.js';

export const SECRET = 'a-secret-that-no-report-has';

/** The folder of a project with one deployed stack, `api`, of which Terraform only has the state. */
export class DeployedProject {
  readonly folder = temporaryFolder();
  readonly #stack = join(this.folder, 'cdktf.out', 'stacks', 'api');
  readonly #terraform = join(this.folder, 'terraform-for-test');
  readonly #asked: { action: string; body: string }[] = [];
  #recorder = '';
  /** Given in place of the cloud's answers. */
  answer: { readonly status: number; readonly body: string } | 'nothing' | undefined;

  constructor(readonly sandbox: Sandbox) {
    mkdirSync(this.#stack, { recursive: true });
    writeFileSync(join(this.#stack, 'cdk.tf.json'), '{}');
    writeFileSync(this.#terraform, '#!/bin/sh\n[ "$1 $2" = "state pull" ] && cat state\n');
    chmodSync(this.#terraform, 0o755);
  }

  /** Starts what records every call to the cloud, and passes it on. */
  async start(): Promise<void> {
    const [host, port] = (this.sandbox.env.VOLCENGINE_CC_ENDPOINT ?? '').split(':');
    const server = createServer((incoming, outgoing) => {
      const { url = '', method, headers } = incoming;
      let body = '';
      incoming.on('data', (chunk) => {
        body += chunk;
      });
      incoming.on('end', () => {
        const action = new URL(url, 'http://cloud').searchParams.get('Action') ?? url;
        this.#asked.push({ action, body: `${action} ${body}` });
        if (this.answer === 'nothing') return;
        if (this.answer !== undefined) {
          outgoing.writeHead(this.answer.status).end(this.answer.body);
          return;
        }
        const onward = request({ host, port, path: url, method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        });
        onward.end(body);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    this.#recorder = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Writes the state of now, which later edits are behind the back of. */
  deploy(links: Omit<Links, 'rulesDigest'>, rules: readonly RawRule[] = []): void {
    const value = encodeLinks({ rulesDigest: '', ...links });
    const { state } = new DeployedCloud(this.sandbox.cloud);
    const [first = {}] = state.resources as readonly { readonly type?: string; name?: string }[];
    const resource = { [first.type ?? '']: { [first.name ?? '']: {} } };
    const write = (file: string, content: object) =>
      writeFileSync(join(this.#stack, file), JSON.stringify(content));
    write('cdk.tf.json', { resource });
    write('access.json', { schema: ACCESS_SCHEMA, stack: 'api', digest: '', rules });
    write('state', { version: 4, outputs: { connectivity: { value } }, ...state });
  }

  /** Explains a report in this process, within milliseconds. */
  async withCloud(report: Verification, limitMs: number) {
    const { withCloudCauses } = await import('../../src/cli/verify/cloud-causes.js');
    for (const [name, value] of Object.entries(this.#environment())) vi.stubEnv(name, value);
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      written.mockRestore();
    });
    const folder = this.#stack;
    const given = {
      links: [{ name: 'api' }] as never,
      plugins: [],
      stacks: [{ folder, links: ['api'] }],
    };
    const stdout = await withCloudCauses(report, given, new AbortController().signal, limitMs);
    const stderr = written.mock.calls.map(([text]) => String(text)).join('');
    return { stdout, stderr, exit: exitOf(stdout) };
  }

  #environment() {
    return {
      ...this.sandbox.env,
      TERRAFORM_BINARY_NAME: this.#terraform,
      VOLCENGINE_CC_ENDPOINT: this.#recorder,
      VOLCENGINE_SECRET_KEY: SECRET,
    };
  }

  async check(env: Readonly<Record<string, string>> = {}, more: readonly string[] = []) {
    const own = { ...this.#environment(), ...env };
    this.#asked.length = 0;
    const args = ['verify', '--stack', 'api', '--timeout', '2s', '--no-probes', ...more];
    const run = await runHere([...args, '--format', 'json', '--format', 'text=report.txt'], {
      cwd: this.folder,
      env: own,
    });
    const report = verificationSchema.parse(JSON.parse(run.stdout));
    return { ...run, report, asked: [...this.#asked], ...firstOf(report) };
  }
}

function firstOf({ links: [link] }: Verification) {
  const { causes = [], notes = [], stages = [] } = link ?? {};
  const shown = causes.filter(({ certainty }) => certainty === 'shown');
  return {
    shown: shown.map(({ code, evidence }) => `${code}: ${evidence}`),
    causes,
    notes,
    failed: stages.find(({ status }) => status === 'failed')?.code,
  };
}

import { spawn } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BACKEND_FAULTS } from '../../src/sandbox/faults/index.js';
import { StackRun } from '../support/stack-run.js';

const STACK = 'plugin-access-sandbox';
const BACKEND = '10.40.1.10';

interface Outputs {
  readonly [stack: string]: { readonly [name: string]: unknown };
}

let run: StackRun;
let backend: { readonly address: string; stop(): Promise<void> };
let serviceId = '';
let endpointId = '';

beforeAll(async () => {
  // Where the load balancer stands, which alone the group of the servers lets in.
  run = await StackRun.start({ clientAddress: () => '100.64.0.9' });
  backend = await startBackend();
  run.change('sandbox', (settings) => {
    delete settings.serviceEndpoint;
    Object.assign(settings, {
      pluginEndpointService: {
        name: 'order-lookup',
        backend: 'orders',
        serviceAccountId: '2100000001',
        payer: 'EndpointService',
        preventDestroy: false,
        loadBalancer: {
          network: {
            name: 'plugins',
            cidr: '10.40.0.0/16',
            subnets: { 'cn-beijing-a': '10.40.1.0/24' },
          },
          protocol: 'HTTP',
          port: 80,
          healthCheckPath: '/health',
          servers: [{ type: 'ip', ip: BACKEND, port: 8080 }],
        },
      },
      userIdHeader: { backend: 'orders' },
    });
  });
});
afterAll(async () => {
  await backend.stop();
  await run.stop();
});

const cli = (...args: string[]) =>
  run.run(process.execPath, [resolve('dist/cli/main.js'), ...args], {});
const outputsFile = () => join(run.folder, 'outputs.json');

async function deploy(env: NodeJS.ProcessEnv = {}) {
  return run.cdktf(['deploy', STACK, '--auto-approve', '--outputs-file', outputsFile()], env);
}

async function outputs(): Promise<Record<string, unknown>> {
  const { readFile } = await import('node:fs/promises');
  const all = JSON.parse(await readFile(outputsFile(), 'utf8')) as Outputs;
  return all[STACK] ?? {};
}

function callPlugin() {
  return cli(
    'sandbox',
    'call-plugin',
    serviceId,
    '--user-id',
    'u-42',
    '--backend',
    backend.address,
  );
}

test('a backend that is not healthy fails the check of the deploy, and says why', async () => {
  const sick = createHttp((_, response) => response.writeHead(503).end());
  await new Promise<void>((done) => sick.listen(0, '127.0.0.1', done));
  const { port } = sick.address() as AddressInfo;
  const { status, output } = await deploy({
    SECURE_CONNECTIVITY_CONNECT_TO: `${BACKEND}:8080:127.0.0.1:${port}`,
  });
  await new Promise((done) => sick.close(done));
  expect(status, output).not.toBe(0);
  expect(output).toContain('answers GET /health with 503');
  expect(output).toContain(`plugin-endpoint-service at ${BACKEND}:8080: backend.unhealthy`);
});

test('mended, the next deploy passes, and says what a person does next, with the id to paste', async () => {
  const { status, output } = await deploy();
  expect(status, output).toBe(0);
  const text = JSON.stringify(await outputs());
  serviceId = /epsvc-[\w-]+/.exec(text)?.[0] ?? '';
  expect(text).toMatch(/private network management/);
  expect(text).toContain(serviceId);
  expect(output).toContain('healthy: answers GET /health with 200');
});

test.each(BACKEND_FAULTS)('the check by hand names $code when $about', async (fault) => {
  const { name, code, never } = fault;
  run.sandbox.faults.set(name);
  const report = await run.verify(['--outputs-file', outputsFile(), '--format', 'json']);
  run.sandbox.faults.clear();
  expect(report.status, report.output).toBe(18);
  const { backends } = JSON.parse(report.stdout) as { backends: { code?: string }[] };
  expect(backends).toMatchObject([{ server: `${BACKEND}:8080`, status: 'failed', code }]);
  expect(never).not.toContain(backends[0]?.code);
});

test('a plugin call goes nowhere before the connection is accepted', async () => {
  const connect = await cli('sandbox', 'connect-plugin', serviceId);
  expect(connect.status, connect.output).toBe(0);
  endpointId = connect.stdout.trim();
  expect(connect.stderr).toContain('PendingAcceptance');
  const { status, output } = await callPlugin();
  expect(status, output).not.toBe(0);
  expect(output).not.toContain('Hello');
});

test('the second deploy accepts, and tells the connection as of the deploy', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings.pluginEndpointService as object, { acceptedEndpointIds: [endpointId] });
  });
  const { status, output } = await run.apply(STACK);
  expect(status, output).toBe(0);
  const report = await run.verify(['--outputs-file', outputsFile()]);
  expect(report.stdout).toContain('Connected at deploy time (not re-checked)');
  expect(report.stdout).not.toContain('passed');
  expect(report.stdout).toContain('healthy: answers GET /health with 200');
  expect(report.stdout).toContain("Only a call from the service's side");
  expect(report.status).toBe(0);
});

test('leaves nothing to change', async () => {
  const { status, output } = await run.terraform(STACK, [
    'plan',
    '-detailed-exitcode',
    '-input=false',
  ]);
  expect(status, output).toBe(0);
});

test('a plugin call reaches the example backend, which reads the user ID', async () => {
  const { status, stdout, output } = await callPlugin();
  expect(status, output).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ greeting: 'Hello, u-42' });
});

test('removing the id cuts the connection', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings.pluginEndpointService as object, { acceptedEndpointIds: [] });
  });
  const { status, output } = await run.apply(STACK);
  expect(status, output).toBe(0);
  expect((await callPlugin()).status).not.toBe(0);
});

test('a connection that was cut is refused at once, with the remedy', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings.pluginEndpointService as object, { acceptedEndpointIds: [endpointId] });
  });
  const { status, output } = await run.apply(STACK);
  expect(status).not.toBe(0);
  expect(output).toContain('Rejected');
});

test('destroy leaves the cloud as it was', async () => {
  run.change('sandbox', (settings) => {
    Object.assign(settings.pluginEndpointService as object, { acceptedEndpointIds: [] });
  });
  const { status, output } = await run.cdktf(['destroy', STACK, '--auto-approve']);
  expect(status, output).toBe(0);
  const own = run.sandbox
    .resources()
    .filter((resource) => !JSON.stringify(resource).includes(endpointId));
  expect(own).toEqual([]);
});

/** The repository's example backend, as a process of its own. */
async function startBackend() {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', 'tsx', 'stacks/example-backend.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      USER_ID_HEADER: JSON.stringify({ trustedNetworks: ['127.0.0.0/8'] }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const address = `127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200 && !(await answers(address)); attempt += 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    address,
    stop: () =>
      new Promise<void>((done) => {
        child.once('exit', () => done());
        child.kill();
      }),
  };
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`http://${address}/health`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NO_COMMAND, SANDBOX_COMMAND_VARIABLE } from '../../src/cli/program/own-command.js';
import { judgeOwner, ownerMark } from '../../src/files/owner.js';
import { childEnvironment } from '../../src/sandbox/environment.js';
import { dial, giveKey } from '../sandbox/support.js';
import { apart } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** Resolves with the stdout so far once it holds the text. */
  printed(text: string): Promise<string>;
}

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The built program, with an empty mirror in place of the stand-in providers. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const folder = folderForTest();
  const own = ['--state', join(folder, 'state'), '--provider-mirror', folder];
  giveKey(join(folder, 'state'));
  const program = [resolve('dist/cli/main.js'), 'sandbox', ...own, ...args];
  const child = spawn(process.execPath, program, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([status]) => ({
    status: status as number | null,
    stdout: texts.stdout,
    stderr: apart(texts.stderr).stderr,
  }));
  const printed = async (text: string) => {
    while (!texts.stdout.includes(text)) {
      await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
      if (child.exitCode !== null) expect(texts).toEqual({ stdout: expect.stringContaining(text) });
    }
    return texts.stdout;
  };
  return { child, ended, printed };
}

/** Runs the program's sources in this process: for whatever needs no signal, and no output of the command's own. */
async function endOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const folder = folderForTest();
  giveKey(join(folder, 'state'));
  const own = ['--state', join(folder, 'state'), '--provider-mirror', folder];
  const { exit: status, ...texts } = await runHere(['sandbox', ...own, ...args], { env });
  return { status, ...texts };
}

const node = (code: string) => ['--', process.execPath, '-e', code];

describe('a command on the sandbox', () => {
  test('that checks a link in vain is told how to check it again there, from any folder', async () => {
    const folder = folderForTest();
    const [program, elsewhere] = [join(folder, 'program'), join(folder, 'elsewhere')];
    const words = `exec '${process.execPath}' '${resolve('dist/cli/main.js')}' "$@"`;
    writeFileSync(program, `#!/bin/sh\n${words}\n`, { mode: 0o755 });
    mkdirSync(elsewhere);
    const check = async (command: string, cwd: string, own: NodeJS.ProcessEnv = {}) => {
      const env = { ...process.env, PROGRAM: program, ...own };
      const ran = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
      expect([ran.status, ran.stdout]).toEqual([10, expect.stringContaining('dns.server-failed')]);
      return /again:\n {2}(npx .*)/.exec(ran.stderr)?.[1] ?? '';
    };
    const said = await check(
      `"$PROGRAM" sandbox --state 'its state' --fault dns-silent -- "$PROGRAM" verify \
        --no-auth --via fixed-ip-egress --base-url https://static-api.sandbox.example \
        --api-host api.sandbox.example --timeout 1s --no-probes`,
      folder,
    );
    const sandbox = `sandbox --state '${join(folder, 'its state')}' --fault dns-silent --`;
    expect(said).toContain(`npx secure-connectivity ${sandbox} npx secure-connectivity verify`);
    const command = said.replaceAll('npx secure-connectivity', '"$PROGRAM"');
    expect(await check(command, elsewhere)).toBe(said);
    // Where the state goes with the command, as in the demo, none is said.
    expect(await check(command, elsewhere, { [SANDBOX_COMMAND_VARIABLE]: NO_COMMAND })).toBe('');
  });

  test('finds its environment, without credentials, proxies or states of its caller, and gives its exit status on', async () => {
    const foreign = {
      VOLCENGINE_PROFILE: 'production',
      VOLCENGINE_SESSION_TOKEN: 'real',
      AWS_ACCESS_KEY_ID: 'real',
      PGPASSWORD: 'real',
      TF_HTTP_PASSWORD: 'real',
      TF_DATA_DIR: '.terraform-production',
      TF_CLI_ARGS_apply: '-state=real.tfstate',
      TF_REATTACH_PROVIDERS: '{}',
      https_proxy: 'http://127.0.0.1:9',
      SECURE_CONNECTIVITY_PROXY: 'http://127.0.0.1:9',
      SECURE_CONNECTIVITY_PRIVATE_KEY: 'real',
      SECURE_CONNECTIVITY_RESOLVE: 'real',
    };
    const kept = { SECURE_CONNECTIVITY_TIMEOUT: '6s', TF_VAR_x: '1' };
    const { status, stdout } = await start(
      node('console.log(JSON.stringify(process.env)); process.exitCode = 7;'),
      { ...foreign, ...kept },
    ).ended;
    const env = JSON.parse(stdout) as Record<string, string>;
    expect(status).toBe(7);
    expect(Object.keys(foreign).filter((name) => name in env)).toEqual([]);
    expect(env).toMatchObject({
      ...kept,
      CONNECTIVITY_ENV: 'sandbox',
      CDKTF_SKIP_PROVIDER_LOCK: 'true',
      CDKTF_DISABLE_PLUGIN_CACHE_ENV: 'true',
      TF_PLUGIN_CACHE_DIR: '',
      CHECKPOINT_DISABLE: '1',
      VOLCENGINE_ACCESS_KEY: 'AKSANDBOX',
      VOLCENGINE_CC_ENDPOINT: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      VOLCENGINE_STS_ENDPOINT: env.VOLCENGINE_CC_ENDPOINT,
      VOLCENGINE_DISABLE_SSL: 'true',
      VOLCENGINE_REGION: 'cn-beijing',
      SECURE_CONNECTIVITY_DNS_SERVER: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      SECURE_CONNECTIVITY_OWN_ADDRESS: expect.stringMatching(/^@\//),
      SECURE_CONNECTIVITY_CONNECT_TO: expect.stringMatching(/^@\//),
    });
  });

  test('keeps the settings that its caller has chosen', () => {
    const chosen = { CONNECTIVITY_ENV: 'production' };
    expect(childEnvironment(chosen, { CONNECTIVITY_ENV: 'sandbox' })).toEqual(chosen);
  });

  test('keeps a new state folder out of Git, and continues it beside other files, even without that', async () => {
    const folder = folderForTest();
    const begin = async () => (await endOf(['--state', folder, '--', 'true'])).status;
    expect(await begin()).toBe(0);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    writeFileSync(join(folder, 'notes'), 'mine');
    expect(await begin()).toBe(0);
    rmSync(join(folder, '.gitignore'));
    expect(await begin()).toBe(0);
  });

  test('can reach the cloud, which is gone after it', async () => {
    const { status, stdout } = await start(
      node(`
        const url = 'http://' + process.env.VOLCENGINE_CC_ENDPOINT + '/?Action=ListResources&Version=2025-06-01';
        const body = JSON.stringify({ TypeName: 'Volcengine::VPC::VPC' });
        fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }).then(({ status }) => console.log(status, new URL(url).port));
      `),
    ).ended;
    expect(status).toBe(0);
    const [answer, port] = stdout.trim().split(' ');
    expect(answer).toBe('200');
    expect(await dial(Number(port))).toBe('refused');
  });

  test('meets with --like-real what was seen on the real cloud', async () => {
    const command = node(`
      const call = async (action, body) => {
        const url = 'http://' + process.env.VOLCENGINE_CC_ENDPOINT + '/?Version=2025-06-01&Action=' + action;
        const headers = { 'content-type': 'application/json' };
        return (await (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).json()).Result;
      };
      const made = async (TypeName, TargetState) => {
        let task = await call('CreateResource', { TypeName, TargetState });
        for (let poll = 0; poll < 5; poll += 1) task = await call('GetTask', { TaskID: task.TaskID });
        return task;
      };
      const { Identifier: VpcId } = await made('Volcengine::VPC::VPC', { CidrBlock: '10.0.0.0/16' });
      console.log((await made('Volcengine::VPC::SecurityGroup', { VpcId })).ErrorCode);
    `);
    const { status, stdout } = await start(['--like-real', ...command]).ended;
    expect([status, stdout]).toEqual([0, expect.stringContaining('InvalidOperation.Conflict')]);
  });

  test('gives 128 and the number of the signal that ended it', async () => {
    const { status } = await endOf(node('process.kill(process.pid, "SIGKILL")'));
    expect(status).toBe(137);
  });

  test('is ended by a signal to the sandbox, which waits for it', async () => {
    const running = start(
      node(`
        process.on('SIGTERM', () => { console.log('ending'); process.exit(3); });
        setInterval(() => {}, 1000);
        console.log('ready');
      `),
    );
    await running.printed('ready');
    running.child.kill('SIGTERM');
    const { status, stdout } = await running.ended;
    expect(stdout).toContain('ending');
    expect(status).toBe(3);
  });

  test('takes along what it has started, as a shell does not', async () => {
    const running = start([
      '--',
      'sh',
      '-c',
      `"${process.execPath}" -e "console.log('ready ' + process.pid); setInterval(() => {}, 1000)"; true`,
    ]);
    const pid = Number(/ready (\d+)/.exec(await running.printed('ready'))?.[1]);
    const mark = ownerMark(pid);
    expect(judgeOwner(mark)).toBe('alive');
    running.child.kill('SIGTERM');
    expect((await running.ended).status).toBe(143);
    expect(judgeOwner(mark)).toBe('dead');
  });

  test('that is not there gives 127 and one line', async () => {
    const { status, stderr } = await endOf(['--', 'no-such-command-anywhere']);
    expect(status).toBe(127);
    expect(stderr.split('\n')).toEqual([
      'secure-connectivity: `no-such-command-anywhere` is not on the PATH',
      '',
    ]);
  });
});

describe('a sandbox without a command', () => {
  test('is described in the help', async () => {
    const { status, stdout } = await endOf(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain(
      '\nWithout COMMAND it prints the environment for other shells, and runs until Ctrl-C.\n',
    );
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('prints its environment for a shell and stays until %s', async (signal, expected) => {
    const running = start([]);
    const stdout = await running.printed('TERRAFORM_BINARY_NAME');
    const port = /^export VOLCENGINE_CC_ENDPOINT='127\.0\.0\.1:(\d+)'$/m.exec(stdout)?.[1];
    expect(await dial(Number(port))).toBe('connected');
    running.child.kill(signal);
    const { status, stderr } = await running.ended;
    expect(status).toBe(expected);
    expect(stderr).toContain('hint: ');
    expect(await dial(Number(port))).toBe('refused');
    expect(
      stdout.split('\n').filter((line) => line !== '' && !/^(export \w+='|unset \w+$)/.test(line)),
    ).toEqual([]);
  });
});

describe('wrong usage', () => {
  test('lists the faults with their codes', async () => {
    const { status, stdout } = await endOf(['--list-faults']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^dns-missing +dns\.not-found +the endpoint domain does not exist$/m);
    expect(stdout).toMatch(
      /^dns-flipping +dns\.not-found +every other time .*\(seen with --settle 2\)$/m,
    );
    expect(stdout).toMatch(/^cloud-busy +deploy +InvalidOperation\.Conflict for a security group/m);
  });

  test.each([
    [['--fault', 'gremlin'], '`--fault` must be a name that `--list-faults` prints'],
    [
      ['--client-address', 'here'],
      '`--client-address` is not an IPv4 or IPv6 address, got: "here"',
    ],
    [['--provider-mirror', '/none'], '`--provider-mirror` must be a folder, got: "/none"'],
    [['--provider-mirror', 'm'.repeat(3_000)], '`--provider-mirror` must be a folder, got: "mmm'],
    [['stray'], 'too many arguments'],
  ])('%j is one clear line and status 2', async (args, message) => {
    const { status, stderr } = await endOf(args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('no Terraform on the PATH is one clear line and status 2', async () => {
    const { status, stderr } = await endOf([], { PATH: folderForTest() });
    expect(status).toBe(2);
    expect(stderr).toBe(
      "secure-connectivity: `terraform` is not on the PATH: install Terraform 1.11 or newer, or name another program, such as OpenTofu's `tofu`, in `TERRAFORM_BINARY_NAME`, and run this again\n",
    );
  });

  test.each([
    '',
    'below',
  ])('a file in place of the state folder is one clear line: %j', async (below) => {
    const file = join(folderForTest(), 'notes');
    writeFileSync(file, 'mine');
    const state = join(file, below);
    const { status, stderr } = await endOf(['--state', state, '--', 'true']);
    expect(status).toBe(2);
    expect(stderr).toBe(
      `secure-connectivity: \`--state\` must be a folder that can be made and written, got: "${state}" (a file is in its place); name another one\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test.runIf(existsSync('/proc/self'))('nor can one be where nobody can make it', async () => {
    const { status, stderr } = await endOf(['--state', '/proc/x/y', '--', 'true']);
    expect(stderr).toBe(
      'secure-connectivity: `--state` must be a folder that can be made and written, got: "/proc/x/y" (ENOENT); name another one\n',
    );
    expect(status).toBe(2);
  });

  test('a state folder that holds something else is one clear line, and stays as it is', async () => {
    const folder = folderForTest();
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
    mkdirSync(join(folder, 'terraform'));
    const { status, stderr } = await endOf(['--state', folder, '--', 'true']);
    expect(status).toBe(2);
    expect(stderr).toBe(
      `secure-connectivity: \`--state\` must be an empty folder or one that a sandbox has made, got: "${folder}", which holds .gitignore; name another one\n`,
    );
    expect(readdirSync(folder)).toEqual(['.gitignore', 'terraform']);
  });

  test('a state folder in use is one clear line', async () => {
    const folder = folderForTest();
    const running = start(['--state', folder]);
    await running.printed('TERRAFORM_BINARY_NAME');
    const { status, stderr } = await endOf(['--state', folder]);
    expect(status).toBe(2);
    expect(stderr).toContain('in use by another sandbox');
    running.child.kill('SIGTERM');
    await running.ended;
  });
});

test('one of several that are started at once gets the state folder, also after a dead one', async () => {
  const folder = folderForTest();
  const atOnce = async () => {
    const command = node('setTimeout(() => {}, 2000)');
    const all = Array.from({ length: 4 }, () => start(['--state', folder, ...command]).ended);
    return (await Promise.all(all)).map(({ status }) => status).sort();
  };
  expect(await atOnce()).toEqual([0, 2, 2, 2]);
  const dead = start(['--state', folder]);
  await dead.printed('TERRAFORM_BINARY_NAME');
  dead.child.kill('SIGKILL');
  await dead.ended;
  expect(await atOnce()).toEqual([0, 2, 2, 2]);
});

test('a state file that is no JSON is named', async () => {
  const folder = folderForTest();
  writeFileSync(join(folder, 'cloud.json'), 'half a');
  const { status, stderr } = await endOf(['--state', folder]);
  expect(status).toBe(2);
  expect(stderr).toContain(join(folder, 'cloud.json'));
  expect(readFileSync(join(folder, 'cloud.json'), 'utf8')).toBe('half a');
});

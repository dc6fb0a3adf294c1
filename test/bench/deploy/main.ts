import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const STACK = 'api-access-sandbox';
const PROGRAM = resolve('dist/cli/main.js');
const runs = Number(process.argv[2] ?? 3);

const { app, context } = JSON.parse(readFileSync('cdktf.json', 'utf8')) as {
  readonly app: string;
  readonly context: object;
};

/** Ways to deploy one stack to a new sandbox, from the source of its settings to the proof. */
const CANDIDATES: Readonly<Record<string, (out: string) => readonly string[]>> = {
  'synth, init and apply by hand': (out) => {
    const terraform = `terraform -chdir='${out}/stacks/${STACK}'`;
    const steps = [
      `CDKTF_OUTDIR='${out}' CDKTF_CONTEXT_JSON='${JSON.stringify(context)}' ${app}`,
      `${terraform} init -input=false`,
      `${terraform} apply -input=false -auto-approve`,
    ];
    return ['sh', '-c', steps.join(' && ')];
  },
  'secure-connectivity deploy': (out) => [
    ...[process.execPath, PROGRAM, 'deploy', STACK, '--auto-approve', '--output', out],
  ],
  'cdktf deploy': (out) => ['npx', 'cdktf', 'deploy', STACK, '--auto-approve', '--output', out],
};

interface Cost {
  readonly cpu: number;
  readonly elapsed: number;
}

/** Seconds of CPU of all processes, the sandbox included, and of the clock. */
async function measure(candidate: (out: string) => readonly string[]): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-deploy-'));
  try {
    const command = [
      ...[process.execPath, PROGRAM, 'sandbox', '--state', join(folder, 'sandbox'), '--'],
      ...candidate(join(folder, 'cdktf.out')),
    ];
    const timed = '"$@" </dev/null >"$0" 2>&1; status=$?; times; exit $status';
    const log = join(folder, 'log');
    const started = performance.now();
    const { status, output } = await run('bash', ['-c', timed, log, ...command]);
    const elapsed = (performance.now() - started) / 1000;
    const isDeployed = status === 0 && readFileSync(log, 'utf8').includes('Apply complete!');
    if (!isDeployed) throw new Error(existsSync(log) ? readFileSync(log, 'utf8') : output);
    // The second line is of the children.
    const [, line = ''] = output.trim().split('\n');
    const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
    const cpu = parts.reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
    return { cpu, elapsed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise<{ status: number | null; output: string }>((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done({ status, output }));
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const costs = new Map<string, Cost[]>(Object.keys(CANDIDATES).map((name) => [name, []]));
for (let round = 0; round < runs; round += 1) {
  for (const [name, candidate] of Object.entries(CANDIDATES)) {
    costs.get(name)?.push(await measure(candidate));
  }
}
const [byHand = Number.NaN] = [...costs.values()].map((one) => median(one.map(({ cpu }) => cpu)));
console.log(`one stack, sandbox included, Node.js ${process.version}, median of ${runs}:`);
for (const [name, measured] of costs) {
  const cpu = median(measured.map((one) => one.cpu));
  const elapsed = median(measured.map((one) => one.elapsed));
  console.log(
    `  ${name.padEnd(32)} ${cpu.toFixed(1).padStart(5)} s CPU (${(cpu / byHand).toFixed(2)} times by hand), ${elapsed.toFixed(1).padStart(5)} s elapsed`,
  );
}

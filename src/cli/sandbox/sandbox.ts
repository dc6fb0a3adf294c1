import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { shellWord } from '../../files/escape.js';
import { alignColumns } from '../../lists/align-columns.js';
import { parseAddress } from '../../net/address.js';
import { withWaitNotice } from '../../progress/waiting.js';
import { CLOUD_FAULTS, LIKE_REAL } from '../../sandbox/faults/cloud-faults.js';
import { FAULTS, type FaultName, isFaultName } from '../../sandbox/faults/index.js';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.js';
import { DEFAULT_STATE } from '../../sandbox/state-folder.js';
import { PLAN_FOLDER_VARIABLE, UNSAVED_FOLDER_VARIABLE } from '../../terraform/program.js';
import { parseArguments, readFlag, requireFolder } from '../program/arguments.js';
import { newCommand } from '../program/new-command.js';
import { NO_COMMAND, ownCommand, SANDBOX_COMMAND_VARIABLE } from '../program/own-command.js';

interface Flags {
  readonly state: string;
  readonly providerMirror?: string;
  readonly clientAddress?: string;
  readonly with?: string;
  readonly fault?: FaultName[];
  readonly likeReal?: true;
  readonly listFaults?: true;
  readonly seal?: true;
  readonly own?: true;
}

/** `secure-connectivity sandbox`: a whole world on loopback, for a command or until it is ended. */
export default async function sandbox(args: readonly string[]): Promise<number> {
  const [step, ...rest] = args;
  if (step === 'connect-plugin') return (await import('./plugin.js')).connectPlugin(rest);
  if (step === 'demo') return (await import('./demo/demo.js')).demo(rest);
  if (step === 'call-plugin') return (await import('./plugin.js')).callPlugin(rest);
  // Everything after `--` belongs to the command, whatever it looks like.
  const end = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
  const [own, command] = [args.slice(0, end), args.slice(end + 1)];
  const parser = commandLine();
  const flags = parseArguments<Flags>(parser, own);
  if (flags.listFaults) return listFaults();
  const status = flags.seal ? await sealedStatus(args, command) : undefined;
  if (status !== undefined) return status;
  const { startSandbox } = await import('../../sandbox/sandbox.js');
  const options = readOptions(flags);
  const running = await withWaitNotice('the sandbox to start', () => startSandbox(options));
  try {
    const env = await commandEnvironment(running, flags);
    if (flags.own) process.stderr.write(OWN);
    if (command.length === 0) return await stay(env);
    const { runCommand } = await import('../program/run-command.js');
    const words = ownCommand('sandbox', ...wordsOf(flags), '--') ?? NO_COMMAND;
    const again = { [SANDBOX_COMMAND_VARIABLE]: words };
    return await runCommand(command, { ...env, ...again }, { endsAll: true });
  } finally {
    await running.stop();
  }
}

/** @returns the exit status of the sealed sandbox; undefined in it */
async function sealedStatus(args: readonly string[], command: readonly string[]) {
  if (command.length === 0) {
    throw usageError(
      '`--seal` must be given with a COMMAND: other shells cannot call into a sealed sandbox',
    );
  }
  const { requireSealed, seal } = await import('../program/seal.js');
  const sealed = await seal(['sandbox', ...args]);
  if ('status' in sealed) return sealed.status;
  requireSealed('--seal', sealed.network);
  return undefined;
}

const MORE_HELP = `
In a project that \`init\` has made:
  sandbox demo   deploy its stacks, prove, break, diagnose and destroy them (--verbose, --like-real)

Without COMMAND it prints the environment for other shells, and runs until Ctrl-C.

On the service's side of a running sandbox:
  sandbox connect-plugin SERVICE_ID          add a private connection in the service's console
  sandbox call-plugin SERVICE_ID --user-id U call the plugin's backend over that connection
  sandbox call-plugin --from IP --user-id U  call it over the internet, from a fixed address`;

function commandLine(): Command {
  return newCommand('sandbox')
    .usage('[options] [-- COMMAND...]')
    .addHelpText('after', MORE_HELP)
    .option('--state <folder>', 'where the sandbox keeps its state', DEFAULT_STATE)
    .option('--provider-mirror <folder>', 'use the genuine providers in this filesystem mirror')
    .option('--client-address <ip>', 'the address of the client (default: in the first subnet)')
    .option('--with <file>', 'resources that the cloud has from the start, as JSON by type and id')
    .option('--fault <name>', 'inject a fault; repeatable', collectFault)
    .option('--like-real', 'inject what was seen on the real cloud; see docs/reach.md')
    .option('--seal', 'run it all in a network namespace with loopback and nothing else (Linux)')
    .option('--own', 'run roots of Terraform as they are: HCL, modules, programs, other providers')
    .option('--list-faults', 'list faults and the code each one produces');
}

function collectFault(name: string, previous: readonly FaultName[] = []): FaultName[] {
  if (isFaultName(name)) return [...previous, name];
  throw usageError(`\`--fault\` must be a name that \`--list-faults\` prints, got: "${name}"`);
}

function readOptions(flags: Flags): SandboxOptions {
  const { providerMirror, clientAddress } = flags;
  if (providerMirror !== undefined) requireFolder('--provider-mirror', providerMirror);
  if (clientAddress !== undefined) readFlag('--client-address', clientAddress, parseAddress);
  return {
    stateFolder: flags.state,
    faults: [...(flags.fault ?? []), ...(flags.likeReal ? LIKE_REAL : [])],
    ...(providerMirror !== undefined && { providerMirror }),
    ...(clientAddress !== undefined && { clientAddress: () => clientAddress }),
    ...(flags.with !== undefined && { existing: flags.with }),
    ...(flags.own && { ownRoots: true }),
  };
}

/** Writes the flags so that they start the same sandbox from any folder. */
function wordsOf({ seal, own, likeReal, fault = [], clientAddress, ...files }: Flags): string[] {
  const named = [
    ['--state', files.state],
    ['--provider-mirror', files.providerMirror],
    ['--with', files.with],
  ] as const;
  return [
    ...named.flatMap(([flag, file]) =>
      file === undefined ? [] : [flag, shellWord(resolve(file))],
    ),
    ...(clientAddress === undefined ? [] : ['--client-address', clientAddress]),
    ...fault.flatMap((name) => ['--fault', name]),
    ...(likeReal ? ['--like-real'] : []),
    ...(seal ? ['--seal'] : []),
    ...(own ? ['--own'] : []),
  ];
}

function listFaults(): number {
  const rows = FAULTS.map((fault) => {
    const needs = 'flags' in fault ? ` (seen with ${fault.flags.join(' ')})` : '';
    return [fault.name, fault.code, `${fault.about}${needs}`];
  });
  const ofCloud = CLOUD_FAULTS.map(({ name, about }) => [name, 'deploy', about]);
  process.stdout.write(`${alignColumns([...rows, ...ofCloud]).join('\n')}\n`);
  return 0;
}

const OWN =
  'sandbox: the cloud and the service are emulated; everything else in the root is your own and runs\n';

async function commandEnvironment(
  { env, files }: Sandbox,
  { own, providerMirror }: Flags,
): Promise<Record<string, string>> {
  const [{ childEnvironment }, { writeStandIns }] = await Promise.all([
    import('../../sandbox/environment.js'),
    import('../../sandbox/terraform/prepare-terraform.js'),
  ]);
  const preparation = fileURLToPath(new URL('sandbox-terraform.js', import.meta.url));
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const programs = writeStandIns(
    files,
    { preparation, ...(own && { own: [process.execPath, main] }) },
    process.env,
  );
  const folders = {
    // A plan is applied here only where it was made in the sandbox.
    [PLAN_FOLDER_VARIABLE]: files.terraform,
    [UNSAVED_FOLDER_VARIABLE]: files.terraform,
  };
  // Without a mirror, other providers are found as they are without a sandbox.
  const isUsers = own === true && providerMirror === undefined;
  const { TF_CLI_CONFIG_FILE: configuration, ...others } = env;
  const { TF_CLI_CONFIG_FILE: users } = process.env;
  const file = isUsers ? users : configuration;
  return childEnvironment(process.env, {
    ...others,
    ...(file !== undefined && { TF_CLI_CONFIG_FILE: file }),
    ...programs,
    ...folders,
  });
}

/** Prints what differs from the environment of another shell like this one. */
async function stay(env: Readonly<Record<string, string>>): Promise<number> {
  const { untilSignal } = await import('../program/signals.js');
  const ended = untilSignal();
  const { quote } = await import('../../sandbox/terraform/prepare-terraform.js');
  for (const name of Object.keys(process.env).filter((one) => env[one] === undefined)) {
    process.stdout.write(`unset ${name}\n`);
  }
  for (const [name, value] of Object.entries(env)) {
    if (process.env[name] !== value) process.stdout.write(`export ${name}=${quote(value)}\n`);
  }
  process.stderr.write('sandbox: running; set the environment above in another shell\n');
  process.stderr.write('hint: end it with Ctrl-C; its state stays for the next time\n');
  return ended;
}

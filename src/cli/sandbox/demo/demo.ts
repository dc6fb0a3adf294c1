import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { usageError } from '../../../codes/connectivity-error.js';
import { makeTemporaryFolder } from '../../../files/temporary-folder.js';
import { parseSettings, stackNames } from '../../../settings/load-settings.js';
import type { Settings } from '../../../settings/schema.js';
import { parseArguments } from '../../program/arguments.js';
import { coloured } from '../../program/output.js';
import { DemoCommands, DemoEnded } from './commands.js';

/** `secure-connectivity sandbox demo`: deploys a project's stacks in a sandbox, proves, breaks and diagnoses them. */
export async function demo(args: readonly string[]): Promise<number> {
  const parser = new Command('secure-connectivity sandbox demo')
    .description(
      'Deploys the sandbox stacks of the project in the working folder, proves, breaks, diagnoses and destroys them.',
    )
    .option('--like-real', 'in a cloud that does what was seen on the real one; takes longer')
    .option('--verbose', 'show all that the commands print');
  const { verbose = false, likeReal = false } = parseArguments<{
    verbose?: boolean;
    likeReal?: boolean;
  }>(parser, args);
  const folder = makeTemporaryFolder('demo');
  try {
    const settings = new DemoSettings(folder);
    const commands = new DemoCommands(folder, {
      settings: settings.folder,
      sandbox: likeReal ? ['--like-real'] : [],
      isVerbose: verbose,
    });
    const steps = STEPS.filter(({ isPossible }) => isPossible?.(settings) ?? true);
    for (const [index, { title, run }] of steps.entries()) {
      const gap = index === 0 ? '' : '\n';
      process.stdout.write(`${gap}${coloured(['cyan', 'bold'], `${index + 1}. ${title}`)}\n`);
      await run({ settings, commands });
    }
    process.stdout.write(coloured(['green', 'bold'], 'Done. Nothing is left running.\n'));
    return 0;
  } catch (error) {
    if (!(error instanceof DemoEnded)) throw error;
    process.stderr.write(`${error.output}\nsecure-connectivity: the demo: ${error.message}\n`);
    return error.status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Demo {
  readonly settings: DemoSettings;
  readonly commands: DemoCommands;
}

interface Step {
  readonly title: string;
  /** @default - with any settings */
  readonly isPossible?: (settings: DemoSettings) => boolean;
  run(demo: Demo): Promise<void>;
}

/** The network of the template, and an address in its first subnet. */
const NETWORK = '10.20.0.0/16';
const CLIENT = '10.20.1.252';
const ELSEWHERE = '10.20.9.0/24';

const INGRESS_PORT = 8443;

const STEPS: readonly Step[] = [
  {
    title: 'Deploy everything. The deploy of the links to the API ends with their check.',
    run: async ({ settings: { stacks }, commands }) => {
      const names = [stacks.api, stacks.plugins].filter((name) => name !== undefined);
      await commands.deploy(names, { reportOf: stacks.api, expected: 0 });
    },
  },
  {
    title: 'Connect the private plugin: the service asks, and the next deploy accepts.',
    isPossible: ({ current }) => current.pluginEndpointService !== undefined,
    run: connectPlugin,
  },
  {
    title: 'Call a plugin from a fixed address of the service.',
    isPossible: ({ current }) => current.fixedIpIngress?.ports.includes(INGRESS_PORT) ?? false,
    run: async ({ commands }) =>
      callPlugin(commands, ['--from', '198.51.100.11', '--port', String(INGRESS_PORT)]),
  },
  {
    title: `Lock this machine out: only ${ELSEWHERE} may use the endpoint, found before any change.`,
    isPossible: hasNetwork,
    run: async ({ settings, commands }) => {
      settings.change('serviceEndpoint', { allowedNetworks: [ELSEWHERE] }, ', for this step');
      const lockedOut = { sandbox: ['--client-address', CLIENT], code: 'host.outside-network' };
      await commands.deploy([settings.stacks.api], { ...lockedOut, expected: 2 });
      settings.change('serviceEndpoint', { allowedNetworks: [NETWORK] });
    },
  },
  {
    title: 'Break the network: the security group of the endpoint lets nobody in.',
    isPossible: hasNetwork,
    run: async ({ settings: { stacks }, commands }) => {
      const broken = { sandbox: ['--fault', 'security-group-closed'], reportOf: stacks.api };
      await commands.deploy([stacks.api], { ...broken, expected: 12, code: 'tcp.timeout' });
    },
  },
  {
    title: 'Clean up.',
    run: async ({ settings: { stacks }, commands }) => {
      const names = [stacks.api, stacks.plugins].filter((name) => name !== undefined);
      await commands.destroy(names);
    },
  },
];

function hasNetwork({ current: { network, serviceEndpoint } }: DemoSettings): boolean {
  const isOurs = network !== undefined && 'cidr' in network && network.cidr === NETWORK;
  return isOurs && serviceEndpoint !== undefined;
}

async function connectPlugin({ settings, commands }: Demo): Promise<void> {
  const { plugins } = settings.stacks;
  if (plugins === undefined) return;
  const service = commands.find(/^epsvc-\w+$/, plugins);
  const { stdout } = await commands.ask(['connect-plugin', service]);
  settings.change('pluginEndpointService', { acceptedEndpointIds: [stdout.trim()] }, '');
  await commands.deploy([plugins], { expected: 0 });
  await callPlugin(commands, [service]);
}

async function callPlugin(commands: DemoCommands, where: readonly string[]): Promise<void> {
  const { stdout } = await commands.ask(['call-plugin', ...where, '--user-id', 'alice']);
  if (!stdout.includes('"user_id":"alice"')) throw new DemoEnded('the plugin got no user', stdout);
}

const SETTINGS = join('stacks', 'settings');
const SANDBOX = 'sandbox.json';

const OF_PLUGINS = ['pluginEndpointService', 'fixedIpIngress', 'userIdHeader'] as const;

/** A copy of a project's settings, which the demo changes. */
class DemoSettings {
  readonly folder: string;
  readonly #file: string;

  /**
   * @param scratch where the copy goes
   * @throws ConnectivityError `usage.invalid`
   */
  constructor(scratch: string) {
    if (!existsSync(join(SETTINGS, SANDBOX))) {
      throw usageError(
        `\`sandbox demo\` must run in a project that \`init\` has made, got: ${process.cwd()}, which has no ${join(SETTINGS, SANDBOX)}; make one by: npx cdktf-secure-connectivity init DIR`,
      );
    }
    this.folder = join(scratch, 'settings');
    this.#file = join(this.folder, SANDBOX);
    cpSync(SETTINGS, this.folder, { recursive: true });
  }

  get current(): Settings {
    return parseSettings(readFileSync(this.#file, 'utf8'), join(SETTINGS, SANDBOX));
  }

  get stacks(): { readonly api: string; readonly plugins: string | undefined } {
    const { current } = this;
    const hasPlugins = OF_PLUGINS.some((option) => current[option] !== undefined);
    const { api, plugins } = stackNames('sandbox');
    return { api, plugins: hasPlugins ? plugins : undefined };
  }

  /** @param shown for how long, behind the name of the file. @default - the change is not shown */
  change(
    option: 'serviceEndpoint' | 'pluginEndpointService',
    changes: object,
    shown?: string,
  ): void {
    const all = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, object>;
    const changed = { ...all, [option]: { ...all[option], ...changes } };
    writeFileSync(this.#file, JSON.stringify(changed));
    if (shown === undefined) return;
    const written = JSON.stringify({ [option]: changes }).slice(1, -1);
    process.stdout.write(`  in ${join(SETTINGS, SANDBOX)}${shown}: ${written}\n`);
  }
}

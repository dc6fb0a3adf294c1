import { type DemoCommands, DemoEnded } from './commands.js';
import type { DemoSettings } from './settings.js';

interface Demo {
  readonly settings: DemoSettings;
  readonly commands: DemoCommands;
}

export interface Step {
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

export const STEPS: readonly Step[] = [
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
      settings.change('serviceEndpoint', { allowedNetworks: [ELSEWHERE] });
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
  settings.change('pluginEndpointService', { acceptedEndpointIds: [stdout.trim()] });
  await commands.deploy([plugins], { expected: 0 });
  await callPlugin(commands, [service]);
}

async function callPlugin(commands: DemoCommands, where: readonly string[]): Promise<void> {
  const { stdout } = await commands.ask(['call-plugin', ...where, '--user-id', 'alice']);
  if (!stdout.includes('"user_id":"alice"')) throw new DemoEnded('the plugin got no user', stdout);
}

/**
 * The sandbox: a cloud, its network, DNS and the AI-agent service on loopback, so that a stack can be
 * deployed, checked and broken without an account. This file starts and stops it all. Each room is one
 * part: `cloud` emulates the cloud's API and a file for each resource type in `cloud/types`; `provider`
 * takes the place of Terraform's providers; `network` computes who reaches whom and what DNS answers,
 * without a socket but the name servers'; `listeners` has whatever can be dialed; `service` answers as
 * the AI-agent service, `plugin` as its console and as what calls plugins; `terraform` keeps every run
 * on states of the sandbox; `faults` has a row for each thing that can be broken. A new resource type,
 * fault or answer goes to its room; nothing here may dial an address outside loopback, or read or write
 * outside the state folder.
 */
import { writeWhole } from '../files/whole-file.js';
import { Cloud, type CloudOptions, type CloudResource } from './cloud/cloud.js';
import { startCloudServer } from './cloud/cloud-server.js';
import type { Mutation } from './cloud/cloud-state.js';
import { Temper, type TemperOptions } from './cloud/temper.js';
import { ACCESS_KEY, cloudEnvironment, ENTERPRISE_ID, sandboxEnvironment } from './environment.js';
import { addExistingResources } from './existing-resources.js';
import { hasProxy, proxyAnswer } from './faults/connection-faults.js';
import { type FaultName, FaultSwitch } from './faults/index.js';
import { openProxy } from './listeners/faulty-ports.js';
import { type Listener, LOOPBACK, StopStack } from './listeners/listen.js';
import type { ServicePorts } from './listeners/service-ports.js';
import { connectRules, writeConnections } from './network/connect-to.js';
import { ClosedGroups } from './network/groups.js';
import { startNameServers } from './network/names.js';
import type { World } from './network/world.js';
import { callAgentPlugins } from './plugin/call-plugin.js';
import { forcedStatus } from './plugin/connections.js';
import { startPluginSide } from './plugin/console.js';
import { writeConsole } from './plugin/console-client.js';
import { type Application, authorizedApplication } from './service/application.js';
import { startService } from './service/service.js';
import {
  applicationPrivateKey,
  makeStateFolder,
  type SandboxFiles,
  sandboxFiles,
} from './state-folder.js';
import { claimState } from './state-lock.js';
import {
  type CloudPlace,
  SANDBOX_PLACE,
  SANDBOX_SERVICE,
  type ServiceNames,
} from './surroundings.js';
import { prepareTerraform, type TerraformOptions } from './terraform/prepare-terraform.js';

const APP_ID = '1170000000000001';
const DEFAULT_POLLS = 2;

export interface SandboxOptions extends TerraformOptions {
  /** All that the sandbox keeps is in here; what it finds there it continues. */
  readonly stateFolder: string;
  /** A JSON file of resources that the cloud has from the start. @default - none */
  readonly existing?: string;
  /** The address of the client of the endpoints. @default - in the first subnet of the endpoint's VPC */
  readonly clientAddress?: () => string | undefined;
  /** The region and zones of the cloud. @default - a place of the sandbox's own */
  readonly place?: CloudPlace;
  /** The names of the service. @default - a service of the sandbox's own */
  readonly service?: ServiceNames;
  /** The faults that are on from the start. @default - none */
  readonly faults?: readonly FaultName[];
  /** The measure of the faults of the cloud itself. @default - as they were seen */
  readonly temper?: TemperOptions;
  /** The number of the first poll that answers a task's outcome. @default 2 */
  readonly taskPolls?: number;
  /** The number of polls that find a chat in progress. @default 1 */
  readonly chatPolls?: number;
  /** The loopback address of what takes the plugin calls of chats. @default - the sandbox's own backend */
  readonly pluginBackend?: string;
  /** Called before a client reads a resource, or makes one that it names itself. @default - nobody is */
  readonly beforeUse?: CloudOptions['beforeUse'];
  /** Called for every create, update and delete in the cloud. @default - nobody is */
  readonly onMutation?: (mutation: Mutation) => void;
  /** True if to prepare what Terraform needs; without, Terraform need not be there. @default true */
  readonly terraform?: boolean;
}

export interface Sandbox {
  /** The environment of a command under the current faults; see {@link sandboxEnvironment}. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: SandboxFiles;
  readonly cloud: Cloud;
  readonly faults: FaultSwitch;
  /** The OAuth application, to be changed as in the service's console. */
  readonly application: Application;
  /** Ports on loopback: of the cloud, of DNS, of the plugins' side, and of each thing that a dial can meet. */
  readonly ports: ServicePorts & Readonly<Record<'cloud' | 'dns' | 'console' | 'backend', number>>;
  resources(): CloudResource[];
  /** Returns where dials of a client lead now, as connect-to rules. */
  leads(clientAddress: string): string[];
  /** Starts a DNS server that answers clients of some VPCs as the cloud is then. */
  startNames(clientVpcs: readonly string[]): Promise<Listener>;
  /** Ends every listener; the state folder stays. */
  stop(): Promise<void>;
}

/**
 * Starts a cloud, a DNS server and the service on free loopback ports.
 *
 * @throws ConnectivityError `usage.invalid` where the state folder is in use, or Terraform is missing
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const parts = new StopStack();
  try {
    return await start(options, parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function start(options: SandboxOptions, parts: StopStack): Promise<Sandbox> {
  const files = sandboxFiles(options.stateFolder);
  makeStateFolder(files);
  parts.onStop(claimState(files.lock));
  const application = authorizedApplication(APP_ID, await applicationPrivateKey(files.privateKey));
  let onChange = () => {};
  const faults = new FaultSwitch(options.faults ?? [], () => onChange());
  const closed = new ClosedGroups();
  const cloud = makeCloud(options, files.cloud, { faults, closed }, () => onChange());
  const core = { options, files, application, faults, closed, cloud };
  const opened = await openParts(core, parts);
  const { service, cloudServer, dns, plugins } = opened;
  const leading = (clientAddress?: string) => ({ clientAddress, ownBackend: plugins.backend.port });
  onChange = () =>
    writeConnections(files, makeWorld(core), service.ports, leading(options.clientAddress?.()));
  onChange();
  return {
    get env() {
      const proxy = hasProxy(faults.active) ? opened.proxy.port : undefined;
      const ports = { dns: dns.own.port, otherDns: dns.other.port, proxy };
      return sandboxEnvironment(files, application, opened.forTerraform, ports);
    },
    files,
    cloud,
    faults,
    application,
    ports: {
      ...service.ports,
      cloud: cloudServer.port,
      dns: dns.own.port,
      console: plugins.console.port,
      backend: plugins.backend.port,
    },
    resources: () => cloud.resources(),
    leads: (clientAddress) => connectRules(makeWorld(core), service.ports, leading(clientAddress)),
    startNames: (clientVpcs) => dns.startFor(clientVpcs),
    stop: () => parts.stop(),
  };
}

/** The parts that the listeners answer from. */
interface Core extends Pick<Sandbox, 'files' | 'application' | 'faults' | 'cloud'> {
  readonly options: SandboxOptions;
  readonly closed: ClosedGroups;
}

/** Opens everything that listens, and what Terraform needs to find it. */
async function openParts(core: Core, parts: StopStack) {
  const { options, files, application, faults, closed, cloud } = core;
  const { place = SANDBOX_PLACE, terraform = true } = options;
  const cloudServer = parts.keep(await startCloudServer(cloud, ACCESS_KEY, place.region));
  const forProvider = cloudEnvironment(cloudServer.port, place.region);
  const providers = terraform ? await prepareTerraform(files, options, forProvider) : undefined;
  if (providers !== undefined) parts.keep(providers);
  const forTerraform = { ...providers?.env, ...forProvider };
  const world = () => makeWorld(core);
  const askedNow = () => {
    closed.onLookup();
    return makeWorld(core);
  };
  const dns = await startNameServers(askedNow, parts);
  const backend = () => options.pluginBackend ?? `${LOOPBACK}:${plugins.port()}`;
  const service = parts.keep(
    await startService({
      callPlugins: (userId) => callAgentPlugins(world(), userId, backend()),
      application,
      enterpriseId: ENTERPRISE_ID,
      endpointSuffixes: place.catalogue.map(({ domainSuffix }) => domainSuffix),
      faults: () => faults.active,
      names: options.service,
      chatPolls: options.chatPolls,
    }),
  );
  writeWhole(files.caCertificate, service.caCertificate, { isDurable: false });
  const plugins = await startPluginSide(cloud, world, service.ports, parts);
  parts.onStop(writeConsole(files.console, plugins.console.port));
  const proxy = parts.keep(await openProxy(() => proxyAnswer(faults.active, service.ports)));
  return { forTerraform, cloudServer, dns, service, plugins, proxy };
}

function makeWorld({ cloud, faults, options: { service = SANDBOX_SERVICE } }: Core): World {
  return { cloud: cloud.state, faults: faults.active, service };
}

function makeCloud(
  options: SandboxOptions,
  file: string,
  { faults, closed }: Pick<Core, 'faults' | 'closed'>,
  onChange: () => void,
): Cloud {
  const { taskPolls = DEFAULT_POLLS, place, beforeUse, existing } = options;
  const { service = SANDBOX_SERVICE } = options;
  const cloud = new Cloud({
    file,
    taskPolls,
    acceptsConnections: () => !faults.active.has('pending-acceptance'),
    connectionStatus: () => forcedStatus(faults.active),
    keepsDefaultRule: () => faults.active.has('default-rule-kept'),
    temper: new Temper((fault) => faults.active.has(fault), options.temper),
    onChange,
    place,
    beforeUse,
    isShut: (state, ...group) =>
      closed.isShut({ cloud: state, faults: faults.active, service }, ...group),
    onMutation: (mutation) => {
      closed.onWrite(mutation.identifier);
      options.onMutation?.(mutation);
    },
  });
  if (existing !== undefined) addExistingResources(cloud, existing);
  return cloud;
}

import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  privatelinkEndpointService,
  privatelinkVpcEndpointConnection,
} from '../../cloud/table/privatelink.js';
import { usageError } from '../../codes/connectivity-error.js';
import { findTemporaryFolderError, makeTemporaryFolder } from '../../files/temporary-folder.js';
import type { Cloud } from '../../sandbox/cloud/cloud.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { requestedConnection } from '../../sandbox/cloud/types/endpoint-connection.js';
import { ownEnvironment } from '../../sandbox/environment.js';
import { readTexts } from '../../sandbox/json.js';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import { Recorder, withoutTasks } from '../timeline/recorder.js';
import type { LinksByStack } from '../ways/link-way.js';
import { placeGivenResources } from './given-resources.js';
import { StackRunner } from './stack-runner.js';
import { findSurroundings, fixedAddresses } from './surroundings.js';

export interface StageOptions {
  readonly base: RehearsedTree;
  readonly head: RehearsedTree;
  /** A filesystem mirror with the genuine providers. @default - the stand-ins */
  readonly providerMirror?: string;
  /** A JSON file of resources that the cloud has from the start. @default - stand-ins for what the trees name */
  readonly existing?: string;
  /** Takes what the rehearsal does at the moment, in words. @default - nobody */
  readonly onProgress?: (text: string) => void;
  /** Ends the rehearsal early. */
  readonly signal?: AbortSignal;
}

/** The part of the world that other people change. */
type Outside = { -readonly [Name in keyof ServiceNames]: ServiceNames[Name] };

/** The outputs of a tree's stacks that tell of people outside. */
export interface TreeOutputs {
  readonly links: LinksByStack;
  /** The security groups of workloads. */
  readonly groups: ServiceNames['workloadGroups'];
  /** The security groups of the servers behind load balancers. */
  readonly backends: NonNullable<ServiceNames['backendGroups']>;
}

/** Bytes of a Unix socket's path that every system takes. */
const MAX_SOCKET_PATH = 103;

/** Makes the folder for temporary files of Terraform, where a provider of a mirror opens its socket. */
function makeHome(folder: string, providerMirror: string | undefined): string {
  const home = join(folder, 'home');
  const socket = Buffer.byteLength(join(home, `plugin${2 ** 32}`));
  if (providerMirror !== undefined && socket > MAX_SOCKET_PATH) {
    throw usageError(
      `\`TMPDIR\` must have at most ${MAX_SOCKET_PATH - socket + Buffer.byteLength(tmpdir())} bytes with \`--provider-mirror\`, for the sockets of the providers, got: ${tmpdir()}; set TMPDIR to another folder`,
    );
  }
  mkdirSync(home);
  return home;
}

/** A sandbox with the folders and states of stacks, and Terraform to deploy them; see `deploys.ts`. */
export class Stage {
  static async start(options: StageOptions): Promise<Stage> {
    const folder = makeTemporaryFolder('rehearsal');
    const console = new PluginConsole();
    const trees = [options.base, options.head];
    let stage: Stage | undefined;
    let sandbox: Sandbox | undefined;
    try {
      const { place, service: names } = findSurroundings(trees);
      const service: Outside = { ...names };
      sandbox = await startSandbox({
        stateFolder: join(folder, 'sandbox'),
        taskPolls: 1,
        place,
        service,
        clientAddress: () => stage?.client,
        beforeUse: console.beforeUse,
        onMutation: (mutation) => stage?.recorder.onMutation(mutation),
        ...(options.providerMirror !== undefined && { providerMirror: options.providerMirror }),
        ...(options.existing !== undefined && { existing: options.existing }),
      });
      const standIns = placeGivenResources(sandbox.cloud, trees, place.zones);
      const home = makeHome(folder, options.providerMirror);
      const env = ownEnvironment(sandbox.env, home);
      const runner = new StackRunner(folder, env, options.signal);
      stage = new Stage(folder, sandbox, service, trees, runner, standIns, options.onProgress);
      return stage;
    } catch (error) {
      await sandbox?.stop();
      rmSync(folder, { recursive: true, force: true });
      // The sandbox would name its own folder, which nobody has chosen here.
      throw findTemporaryFolderError((error as Error).cause) ?? error;
    }
  }

  /** Identifiers of everything that was there before the base. */
  readonly given: ReadonlySet<string>;
  readonly recorder: Recorder;
  /** The address that dials come from. */
  client: string | undefined;

  /** @param standIns identifiers of what the trees name and do not make */
  private constructor(
    readonly folder: string,
    readonly sandbox: Sandbox,
    readonly service: Outside,
    private readonly trees: readonly RehearsedTree[],
    readonly runner: StackRunner,
    readonly standIns: readonly string[],
    readonly tell: (text: string) => void = () => undefined,
  ) {
    this.recorder = new Recorder(() => sandbox.cloud.state);
    this.given = new Set(sandbox.resources().map(({ identifier }) => identifier));
    for (const name of ['stacks', 'states']) mkdirSync(join(folder, name));
  }

  cloudNow(): CloudState {
    return withoutTasks(this.sandbox.cloud.state);
  }

  /**
   * Takes the sandbox to a state of the cloud, with its client at an address; without an address it
   * has the default one.
   */
  goTo({ resources }: CloudState, client: string | undefined): void {
    this.client = client;
    this.sandbox.cloud.restore(resources);
  }

  /**
   * Plays the people outside, once a tree is deployed: the service has the addresses that the tree states,
   * and people enter the records and attach the groups that its outputs say.
   */
  followTree(tree: RehearsedTree, { links: stacks, groups, backends }: TreeOutputs) {
    this.service.fixedAddresses = fixedAddresses(this.trees, tree);
    this.service.workloadGroups = groups;
    this.service.backendGroups = backends;
    const links = [...stacks.values()].flatMap((stack) => stack.links);
    this.service.records = new Map(
      links
        .filter(({ recordsElsewhere }) => recordsElsewhere !== undefined)
        .map(({ baseUrl, expectedAddresses }) => [
          new URL(baseUrl).hostname,
          expectedAddresses.map((cidr) => cidr.replace(/\/.*/, '')),
        ]),
    );
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Plays the service's administrator, who asks for a connection in the service's console before the
 * stack accepts it. An endpoint asks one endpoint service only: after that service is replaced, its
 * connection cannot be accepted any more, and people have to make another one.
 */
export class PluginConsole {
  /** The requested endpoint service of each endpoint. */
  requests: ReadonlyMap<string, string> = new Map();

  /** Asks for a connection; called before the cloud is asked for it. */
  readonly beforeUse = (cloud: Cloud, typeName: string, identifier: string): void => {
    if (typeName !== privatelinkVpcEndpointConnection.cloudType) return;
    const [serviceId = '', endpointId = ''] = identifier.split('|');
    const service = cloud.state.resources[privatelinkEndpointService.cloudType]?.[serviceId];
    const isKnown = cloud.state.resources[typeName]?.[identifier] !== undefined;
    if (service === undefined || isKnown || this.requests.has(endpointId)) return;
    this.requests = new Map([...this.requests, [endpointId, serviceId]]);
    cloud.receive(typeName, (scope) => {
      const [accountId = ''] = readTexts(service, 'PermitAccountIds');
      const place = { vpcId: 'vpc-of-the-service', zoneId: scope.place.zones[0] ?? '' };
      return requestedConnection(service, { endpointId, accountId, ...place }, scope);
    });
  };
}

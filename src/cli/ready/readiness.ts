import { existsSync } from 'node:fs';
import { type Code, factsOf, reasonOf, splitReason } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeError } from '../../codes/redact.js';
import { titleOf } from '../../codes/stated.js';
import { shellWord } from '../../files/escape.js';
import {
  listOf,
  type Problem,
  type ReportDocument,
  type Section,
  STATUS,
} from '../../report/document.js';
import { type LoadedSettings, stackNames } from '../../settings/load-settings.js';
import type { Settings } from '../../settings/schema.js';
import { ownCommand } from '../program/own-command.js';

export interface Point {
  readonly name: string;
  /** `unknown`: it was not, or cannot be, seen from here, and decides nothing. */
  readonly status: 'passed' | 'failed' | 'warned' | 'unknown';
  readonly text: string;
  /** The code of a point that failed, or would fail. */
  readonly code?: Code;
  /** The words of what was seen, where the code has facts of its own for that. */
  readonly seen?: string;
  readonly remedy?: string;
}

export function passed(name: string, text: string): Point {
  return { name, status: 'passed', text };
}

export function unknown(name: string, text: string): Point {
  return { name, status: 'unknown', text };
}

export function failed(name: string, error: ConnectivityError): Point {
  const { reason, message } = error;
  const { code, ...seen } = splitReason(reason);
  const { remedy } = factsOf(reason);
  const text = safeError(message.replace(`${code}: `, '').replace(` ${remedy}`, ''));
  return { name, status: 'failed', text, code, ...seen, remedy };
}

/** Turns work into a point: its result, or its known error. */
export async function prove(name: string, work: () => Promise<Point | string>): Promise<Point> {
  try {
    const found = await work();
    return typeof found === 'string' ? passed(name, found) : found;
  } catch (error) {
    if (error instanceof ConnectivityError) return failed(name, error);
    throw error;
  }
}

/** The verdict on an environment's points, with what remains to be done. */
export function concludeReadiness(
  { environment, settings }: LoadedSettings,
  file: string,
  points: readonly Point[],
) {
  const isReady = points.every(({ status }) => status !== 'failed');
  return {
    schema: 'secure-connectivity/ready@1',
    environment,
    verdict: isReady ? 'ready' : 'not-ready',
    points,
    /** Steps for a person, as sentences. */
    steps: personSteps(settings),
    /** Commands that deploy; none where something failed. */
    deploy: isReady ? deployCommands(environment, settings, file) : [],
  };
}

type Readiness = ReturnType<typeof concludeReadiness>;

/** The status of the first point that failed. */
export function readinessExit({ points }: Readiness): number {
  const { code, seen } = points.find(({ status }) => status === 'failed') ?? {};
  const reason = reasonOf({ code, evidence: { seen } });
  return reason === undefined ? 0 : factsOf(reason).exit;
}

function deployCommands(environment: string, settings: Settings, file: string): string[] {
  const { pluginEndpointService, fixedIpIngress, userIdHeader } = settings;
  const hasPlugins = [pluginEndpointService, fixedIpIngress, userIdHeader].some(
    (one) => one !== undefined,
  );
  const { api, plugins } = stackNames(environment);
  const stacks = [api, ...(hasPlugins ? [plugins] : [])];
  if (existsSync('cdktf.json')) {
    const deploy = ownCommand('deploy', ...stacks);
    return deploy === undefined ? [] : [`CONNECTIVITY_ENV=${environment} ${deploy}`];
  }
  const folders = stacks.map((stack) => `terraform -chdir=terraform/stacks/${stack}`);
  return [
    `npx secure-connectivity synth --settings ${shellWord(file)} --out terraform`,
    ...folders.map((terraform) => `${terraform} init && ${terraform} apply`),
  ];
}

/** Lists the manual steps of the options in the settings, in their order. */
function personSteps(settings: Settings): string[] {
  const { serviceEndpoint, fixedIpEgress, fixedIpIngress, pluginEndpointService, userIdHeader } =
    settings;
  const zone = serviceEndpoint?.privateZone;
  const elsewhere = typeof zone === 'object' && 'managedBy' in zone && zone.managedBy;
  const ways = { serviceEndpoint, fixedIpEgress, fixedIpIngress, pluginEndpointService };
  const flagship = Object.entries(ways).flatMap(([name, option]) => (option ? name : []));
  const steps: readonly [isNeeded: unknown, ...steps: string[]][] = [
    [flagship.length > 0, `service: the enterprise flagship plan, for ${flagship.join(', ')}`],
    [
      settings.check.mode !== 'off',
      'service console: an OAuth application of type enterprise privileged app, client type service-side (enterprise plan, flagship or standard; made by a super administrator or administrator of the default organization), with a key pair; after creating it, confirm its authorization',
    ],
    [
      settings.state.backend === 'local',
      'settings: a remote `state`, before anyone else or a CI job deploys',
    ],
    [elsewhere, `${elsewhere}: enter the records of the output service-endpoint-records`],
    [
      serviceEndpoint && !zone,
      'clients: call the endpoint domain, the output service-endpoint-base-url, with the usual paths',
    ],
    [
      fixedIpEgress,
      'cloud console: attach the group of the fixed-IP access to the workloads; clients call the fixed-IP base URL',
    ],
    [
      fixedIpIngress,
      'business manager of the service: ask for allow-listing of the plugin, with the ID of its workspace (cloud-side plugins created from an existing service alone); put the address list that the service provides into `fixedIpIngress.addresses`',
      'service console, resource library: turn on fixed-IP calling of the plugin; attach the group to its backend',
    ],
    [
      pluginEndpointService,
      'cloud console: grant the cross-service role of endpoint services once; attach the group to the backend',
      'service console, private network management: add a private connection with the service ID of the deploy; put the pending endpoint’s ID into `acceptedEndpointIds` and deploy again',
      'service console: choose the private connection when creating the plugin',
    ],
    [userIdHeader, 'backend: start it with the output user-id-header-options'],
  ];
  return steps.flatMap(([isNeeded, ...own]) => (isNeeded ? own : []));
}

/** Makes the document of a readiness: the verdict, the points, and what remains to be done. */
export function readinessDocument(readiness: Readiness): ReportDocument {
  const { environment, points, steps, verdict, deploy } = readiness;
  const failed = points.flatMap(({ status, name }) => (status === 'failed' ? name : []));
  const isReady = verdict === 'ready';
  const tone = isReady ? 'passed' : 'failed';
  const how = isReady
    ? 'ready'
    : `not ready, exit ${readinessExit(readiness)}: ${failed.join(', ')}`;
  const sections: Section[] = [
    {
      ...{ title: 'Points', tone, problems: points.flatMap(problemOf) },
      columns: [STATUS, 'point', 'seen'],
      rows: points.map(({ status, name, text }) => [status, name, text]),
    },
    listOf('Manual steps', steps),
    // Not wrapped: they are copied.
    { title: '', columns: ['deploy with'], rows: deploy.map((one) => [one]), isAnswer: true },
  ];
  return {
    ...{ headline: `${environment} is ${how}`, tone },
    sections: sections.filter(({ rows }) => rows.length > 0),
  };
}

function problemOf({ status, name, code, seen, remedy = '' }: Point): Problem[] {
  if (code === undefined) return [];
  const tone = status === 'failed' ? status : 'warned';
  return [{ tone, code, title: titleOf({ code, evidence: { seen } }), at: name, remedy }];
}

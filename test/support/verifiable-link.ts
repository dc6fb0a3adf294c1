import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { VerifiableLink, VerifyOptions } from '../../src/verify/model/options.js';
import type { Finding, Verification } from '../../src/verify/model/verification.js';
import { verify } from '../../src/verify/run/verify.js';
import { bracketed } from '../../src/verify/transport/addresses.js';
import { expectAgreement } from './agreement.js';
import { API_HOST, APPLICATION, ENDPOINT_HOST, PKCS8 } from './application.js';
import { type Authority, createAuthority } from './certificates.js';
import { temporaryFolder } from './cleanup.js';
import { type DnsAnswers, startDns } from './dns-responder.js';
import { type ServiceServer, startService } from './service-server.js';

export const ADDRESS = '10.1.2.3';
export const NETWORK = '10.1.0.0/16';

/** Stands in for what the endpoint's name has outside of its network. */
export const PUBLIC = '93.184.216.34';

/** The DNS records where the endpoint's name has these addresses. */
export function answer(...addresses: string[]): DnsAnswers {
  return { names: { [ENDPOINT_HOST]: addresses } };
}

/** A world in which the check of {@link link} passes, with parts to break. */
export interface World {
  readonly folder: string;
  readonly authority: Authority;
  readonly service: ServiceServer;
  readonly options: VerifyOptions;
  readonly asked: readonly string[];
  dns: DnsAnswers;
  /** A port of loopback that refuses. */
  readonly refusingPort: number;
  /**
   * Writes the rule file anew: where dials to an address go. Every other dial for the endpoint's host is
   * refused on loopback.
   */
  readonly connectTo: (ports: Readonly<Record<string, number>>) => Promise<void>;
}

export function link(change: Partial<VerifiableLink> = {}): VerifiableLink {
  return {
    name: 'api',
    via: 'service-endpoint',
    baseUrl: `https://${ENDPOINT_HOST}`,
    apiHost: API_HOST,
    expectedAddresses: [`${ADDRESS}/32`],
    expectedNetworks: [NETWORK],
    accessDigest: 'digest-1',
    ...change,
  };
}

export interface WorldOptions {
  readonly scheme?: 'https' | 'http';
  readonly names?: readonly string[];
  readonly fromDays?: number;
  readonly toDays?: number;
  readonly clientCertificate?: boolean;
  /** Signed by an authority that the check does not trust. */
  readonly untrusted?: boolean;
}

export async function createWorld(choices: WorldOptions = {}): Promise<World> {
  const { scheme = 'https', names = [ENDPOINT_HOST], fromDays = -1, toDays = 30 } = choices;
  const folder = await temporaryFolder();
  const authority = await createAuthority();
  const issuer = choices.untrusted ? await createAuthority('Stranger') : authority;
  const certificate = await issuer.issue(names, { fromDays, toDays });
  const service =
    scheme === 'http'
      ? await startService()
      : await startService(
          certificate,
          choices.clientCertificate ? { requestCert: true, ca: authority.ca } : {},
        );
  const world = { dns: { names: { [ENDPOINT_HOST]: [ADDRESS] } } as DnsAnswers };
  const { server, asked } = await startDns(() => world.dns);
  const rules = join(folder, 'connect-to');
  const refusingPort = await startRefusing();
  const connectTo: World['connectTo'] = async (ports) => {
    const lines = [
      ...rulesFor(scheme === 'http' ? 80 : 443, ports),
      ...[80, 443].map((port) => `${ENDPOINT_HOST}:${port}:127.0.0.1:${refusingPort}`),
    ];
    await writeFile(rules, ['# rules', ...lines, ''].join('\n'));
  };
  await connectTo({ [ADDRESS]: service.port });
  const options = await writeFiles(folder, authority);
  return Object.assign(world, {
    folder,
    authority,
    service,
    asked,
    refusingPort,
    connectTo,
    options: { ...options, links: [link()], dnsServer: server, connectTo: [`@${rules}`] },
  });
}

function rulesFor(port: number, ports: Readonly<Record<string, number>>): string[] {
  return Object.entries(ports).map(
    ([address, target]) => `${bracketed(address)}:${port}:127.0.0.1:${target}`,
  );
}

/** @returns a port of loopback on which nothing listens */
export async function startRefusing(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function writeFiles(
  folder: string,
  { ca }: Authority,
): Promise<Omit<VerifyOptions, 'links'>> {
  const keyFile = join(folder, 'private_key');
  const caFile = join(folder, 'ca');
  await mkdir(folder, { recursive: true });
  await writeFile(keyFile, PKCS8, { mode: 0o600 });
  await writeFile(caFile, ca);
  return { caFile, credentials: { ...APPLICATION, privateKeyFile: keyFile } };
}

/** Runs the check with a change of its options; whatever it finds, it must not contradict itself. */
export async function check(
  world: World,
  change: Partial<VerifyOptions> = {},
): Promise<Verification> {
  const verification = await verify({ ...world.options, ...change });
  for (const one of verification.links) expectAgreement(one);
  return verification;
}

/** The findings of the first link: `dns passed`, `tcp failed tcp.refused`, … */
export function outline({ links }: Verification): string[] {
  return stagesOf({ links }).map(({ stage, status, code }) =>
    [stage, status, code].filter(Boolean).join(' '),
  );
}

export function stagesOf({ links }: Pick<Verification, 'links'>): readonly Finding[] {
  return links[0]?.stages ?? [];
}

export function findingOf(verification: Verification, stage: Finding['stage']): Finding {
  const finding = stagesOf(verification).find((one) => one.stage === stage);
  if (finding === undefined) throw new Error(`no finding of ${stage}`);
  return finding;
}

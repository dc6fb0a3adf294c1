import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/sandbox.js';
import { picture, pictured } from './picture.js';

/** The picture of the README. */
const FILE = 'docs/failing-check.svg';

const TITLE =
  'A check that fails: DNS and address pass, the TCP connection gets no answer, and the cause is the security group of the endpoint';

const COMMAND = '$ secure-connectivity verify --base-url https://ep-… --via service-endpoint …';

/** Draws the picture anew if the check says something else than it shows; a run alone changes nothing. */
export async function updatePicture(): Promise<void> {
  const now = await failingCheck();
  if (shapeOf(now) !== shapeOf(shownCheck()))
    writeFileSync(FILE, picture(`${COMMAND}\n${now}`, TITLE));
}

/** The report that the picture shows. */
export function shownCheck(): string {
  return pictured(readFileSync(FILE, 'utf8')).replace(`${COMMAND}\n`, '');
}

const PLACE = { CidrBlock: '10.20.1.0/24', ZoneId: 'cn-beijing-a' };
const INGRESS = {
  ...{ CidrIp: '10.20.0.0/16', Policy: 'accept', Protocol: 'tcp', Priority: 10 },
  ...{ PortStart: 443, PortEnd: 443, Description: 'clients' },
};
const SERVICE_NAME = 'com.volces.privatelink.cn-beijing.epsvc-sandbox';

/** Runs the real check over an endpoint whose security group drops the packets, and answers its report. */
export async function failingCheck(program = 'dist/cli/main.js'): Promise<string> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'failing-check-'));
  const sandbox = await startSandbox({
    stateFolder,
    terraform: false,
    faults: ['security-group-closed'],
  });
  try {
    const { cloud } = sandbox;
    const vpc = cloud.create('Volcengine::VPC::VPC', { CidrBlock: '10.20.0.0/16' });
    const subnet = cloud.create('Volcengine::VPC::Subnet', { VpcId: vpc, ...PLACE });
    const group = cloud.create('Volcengine::VPC::SecurityGroup', {
      VpcId: vpc,
      IngressPermissions: [INGRESS],
    });
    const endpoint = cloud.create('Volcengine::PrivateLink::VpcEndpoint', {
      ServiceId: 'epsvc-sandbox',
      ServiceName: SERVICE_NAME,
      VpcId: vpc,
      SecurityGroupIds: [group],
      Zones: [{ SubnetId: subnet, ZoneId: PLACE.ZoneId }],
    });
    return await report(
      program,
      sandbox.env,
      `https://${endpoint}.epsvc-sandbox.cn-beijing.privatelink.volces.com`,
    );
  } finally {
    await sandbox.stop();
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

function report(program: string, env: Readonly<Record<string, string>>, baseUrl: string) {
  const args = [
    ...['verify', '--base-url', baseUrl, '--via', 'service-endpoint', '--timeout', '3s'],
    ...['--api-host', 'api.sandbox.example', '--expect-address', '10.20.1.0/24'],
  ];
  const { PATH = '', HOME = '' } = process.env;
  return new Promise<string>((resolve) => {
    execFile(process.execPath, [program, ...args], { env: { PATH, HOME, ...env } }, (_, stdout) =>
      resolve(stdout.trimEnd()),
    );
  });
}

/** A report without what differs from run to run: times, ports, dates, ids and keys. */
export function shapeOf(report: string): string {
  return report
    .replace(/\bkid \S+/g, 'kid K')
    .replace(/\b(ep|epsvc)-[0-9a-f]{6,}/g, '$1-N')
    .replace(/\d{4}-\d{2}-\d{2}/g, 'D')
    .replace(/ *\d+(\.\d+)? (ms|s)\b/g, ' T')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:P')
    .replace(/10\.20\.1\.\d+/g, '10.20.1.N');
}

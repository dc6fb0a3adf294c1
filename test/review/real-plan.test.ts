import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessModel } from '../../src/access/access-model.js';
import { reviewReportSchema } from '../../src/review/report-schema.js';
import { type Stack, StandInTerraform } from '../sandbox/provider/stand-in-terraform.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { from } from './trees.js';

/** A secret that is given to Terraform alone. */
const GIVEN = { TF_VAR_workers: '10.77.0.0/16' };
const WORKERS = 'volcenginecc_vpc_security_group.workers';
const GROUP = 'volcenginecc_vpc_security_group.endpoint';

function permission(cidr: string, direction = 'ingress') {
  return {
    ...{ cidr_ip: cidr, source_group_id: '', prefix_list_id: '', description: '' },
    ...{ protocol: 'tcp', port_start: 443, port_end: 443 },
    ...{ policy: direction === 'ingress' ? 'accept' : 'drop', priority: 1, direction },
  };
}

/** A network with a group of its own, which lets these in. */
function configuration(cidrs: readonly string[], secretCidrs: readonly string[]) {
  const group = (name: string, ingress: readonly string[]) => ({
    vpc_id: '${volcenginecc_vpc_vpc.network.id}',
    security_group_name: name,
    ingress_permissions: ingress.map((cidr) => permission(cidr)),
    egress_permissions: [permission('127.0.0.1/32', 'egress')],
  });
  return {
    provider: { volcenginecc: { region: 'cn-beijing' } },
    variable: { workers: { type: 'string', sensitive: true } },
    resource: {
      volcenginecc_vpc_vpc: { network: { vpc_name: 'orders', cidr_block: '10.0.0.0/8' } },
      volcenginecc_vpc_security_group: {
        endpoint: group('endpoint', cidrs),
        workers: group('workers', secretCidrs),
      },
    },
  };
}

const BASE = configuration(['10.1.0.0/16'], ['10.4.0.0/16']);
const HEAD = configuration(
  ['10.1.0.0/16', '${cidrsubnet(volcenginecc_vpc_vpc.network.cidr_block, 8, 3)}'],
  ['10.4.0.0/16', '${var.workers}', '${volcenginecc_vpc_vpc.network.vpc_id}/32'],
);

let terraform: StandInTerraform;
let stack: Stack;
let base: string;
let head: string;
let plan: string;

beforeAll(async () => {
  terraform = await StandInTerraform.start();
  stack = await terraform.stack(BASE);
  base = await writeTree('base', ['10.1.0.0/16']);
  await stack.run(['apply', '-auto-approve', '-no-color'], GIVEN);
  stack.write(HEAD);
  head = await writeTree('head', ['10.1.0.0/16', '10.3.0.0/16']);
  const { status, stderr } = await stack.run(['plan', '-out=plan', '-input=false'], GIVEN);
  expect([status, stderr]).toEqual([0, '']);
  const { stdout } = await stack.run(['show', '-json', 'plan']);
  plan = join(head, 'plan.json');
  await writeFile(plan, stdout);
});
afterAll(() => terraform.stop());

/** The stack's folder as a synthesized tree, which goes when Terraform stops. */
async function writeTree(name: string, cidrs: readonly string[], of = stack): Promise<string> {
  const tree = join(of.folder, '..', name);
  const own = join(tree, 'stacks', 'orders');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'cdk.tf.json'), await readFile(join(of.folder, 'main.tf.json')));
  const rules = cidrs.map((cidr) => from(cidr, { carriers: [GROUP] }));
  const more = from('10.4.0.0/16', { subject: 'workers', carriers: [WORKERS] });
  await writeFile(
    join(own, 'access.json'),
    JSON.stringify(accessModel('orders', [...rules, more])),
  );
  return tree;
}

const reviewed = (...args: readonly string[]) =>
  runHere(['review', '--base', base, '--head', head, ...args]);

describe('a plan that Terraform made', () => {
  test('says beside trees what the deploy does, and alone what an expression opens', async () => {
    const { stdout } = await reviewed('--plan', plan, '--format', 'json');
    const { findings, plans } = reviewReportSchema.parse(JSON.parse(stdout));
    const planned = { import: 0, add: 0, change: 1, replace: 0, destroy: 0 };
    expect(findings.filter(({ resource }) => resource === GROUP)).toMatchObject([
      { kind: 'access', who: expect.stringContaining('cidrsubnet'), planned },
      { kind: 'unread', planned },
    ]);
    expect(plans).toEqual([{ stack: 'orders', ...planned, change: 2 }]);
    const alone = await runHere(['review', '--plan', `orders=${plan}`, '--format', 'json']);
    const report = reviewReportSchema.parse(JSON.parse(alone.stdout));
    expect(report.findings.filter(({ resource }) => resource === GROUP)).toMatchObject([
      { kind: 'access', who: '10.3.0.0/16', what: 'endpoint, tcp 443', planned },
    ]);
    expect([alone.exit, report.plans]).toEqual([3, plans]);
  });

  test.each([
    ['beside trees', () => ['--base', base, '--head', head]],
    ['alone', () => []],
  ])('leaves unread %s what is secret or known after the deploy, and prints no secret', async (_, trees) => {
    const folder = await temporaryFolder();
    const formats = ['markdown', 'text', 'json', 'sarif', 'junit'].map((name) => ({
      name,
      file: join(folder, name),
    }));
    const { exit, stdout, stderr } = await runHere([
      ...['review', ...trees(), '--plan', `orders=${plan}`],
      ...formats.flatMap(({ name, file }) => ['--format', `${name}=${file}`]),
    ]);
    expect([exit, stderr]).toEqual([3, '']);
    expect(stdout).toContain('through: security group workers (plan');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Changed, and not read by this review');
    const written = await Promise.all(formats.map(({ file }) => readFile(file, 'utf8')));
    for (const text of [stdout, ...written]) expect(text).not.toContain('10.77.');
    expect(await readFile(plan, 'utf8')).toContain('10.77.');
  });
});

test('tells what a deploy opens again, where the cloud was narrowed by hand and no file changed', async () => {
  const own = await terraform.stack(configuration(['10.1.0.0/16', '10.2.0.0/16'], ['10.4.0.0/16']));
  await own.must('apply', '-auto-approve', '-var=workers=none');
  const tree = await writeTree('narrowed', ['10.1.0.0/16', '10.2.0.0/16'], own);
  const name = 'Volcengine::VPC::SecurityGroup';
  const group = terraform.cloud
    .list(name)
    .find(({ properties }) => JSON.stringify(properties).includes('10.2.0.0/16'));
  const permissions = group?.properties.IngressPermissions;
  const all = Array.isArray(permissions) ? permissions : [];
  const kept = all.filter((one) => !JSON.stringify(one).includes('10.2.0.0/16'));
  const patch = [{ op: 'replace', path: '/IngressPermissions', value: kept }];
  terraform.cloud.startUpdate(name, group?.identifier ?? '', patch, '');
  await own.must('plan', '-out=plan', '-var=workers=none');
  const file = join(tree, 'plan.json');
  await writeFile(file, await own.must('show', '-json', 'plan'));
  const same = ['review', '--base', tree, '--head', tree];
  expect((await runHere(same)).exit).toBe(0);
  const { exit, stdout } = await runHere(['review', '--plan', file, '--format', 'json']);
  const { findings } = reviewReportSchema.parse(JSON.parse(stdout));
  const said = findings.map(({ kind, who, what, before, after }) => [
    kind,
    who,
    what,
    before,
    after,
  ]);
  const lost = `since the last deploy 10.2.0.0/16 can no longer reach endpoint, tcp 443`;
  expect(said).toEqual([
    ['drift', '', lost, 'tcp 443', 'closed'],
    ['access', '10.2.0.0/16', 'endpoint, tcp 443', 'closed', 'tcp 443'],
  ]);
  expect(exit).toBe(3);
});

describe('refused with exit 2, in one line', () => {
  test.each<[what: string, args: () => string[], message: string]>([
    [
      'a plan of another tree',
      () => ['--head', base, '--plan', plan],
      `permissions of ${GROUP} is another`,
    ],
    ['the plan in binary', () => ['--plan', join(stack.folder, 'plan')], 'got: the plan itself, '],
    ['the state', () => ['--plan', join(stack.folder, 'terraform.tfstate')], 'a state is no plan'],
    ['no file', () => ['--plan', 'orders=nowhere'], 'must be a readable file, got: nowhere'],
    [
      'a stack twice',
      () => ['--plan', plan, '--plan', `orders=${plan}`],
      'once for each stack, got: "orders" twice',
    ],
  ])('%s', async (_, args, message) => {
    const { exit, stdout, stderr } = await reviewed(...args());
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^secure-connectivity: `--plan` [^\n]*\n$/);
    expect([exit, stdout]).toEqual([2, '']);
  });

  test('a file alone where there are several stacks', async () => {
    const several = await temporaryFolder();
    for (const name of ['orders', 'billing']) {
      await cp(join(head, 'stacks', 'orders'), join(several, 'stacks', name), { recursive: true });
    }
    const { exit, stderr } = await reviewed('--head', several, '--plan', plan);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'must be STACK=FILE with a stack of `--head`, which has billing, orders',
    );
  });
});

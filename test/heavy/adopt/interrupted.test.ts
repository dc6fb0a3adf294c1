import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { markTags } from '../../../src/cloud/table/mark.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { BOOK, PREFIX_LIST, VPC } from '../../sandbox/support.js';
import { deployableStack } from '../../support/deployable-stacks.js';
import { InterruptibleDeploy } from '../../support/interruptible-deploy.js';

const NETWORK = 'volcenginecc_vpc_vpc.network';

const deploy = await InterruptibleDeploy.start({
  name: 'plugin-access-test',
  stack: deployableStack('plugin-access'),
});
beforeEach(() => deploy.reset());
afterAll(() => deploy.stop());

function leave(address: string, type: string, changes: object = {}): string {
  const properties: JsonObject = { ...deploy.cloudForm(address), ...changes };
  return deploy.sandbox.cloud.create(type, properties);
}

function marked(stack: string, address: string) {
  return markTags({ stack, address }).map(({ key, value }) => ({ Key: key, Value: value }));
}

async function expectHealed() {
  const { applied, madeTwice, again } = await deploy.finish();
  expect(applied.status, applied.output).toBe(0);
  expect(madeTwice).toEqual([]);
  expect(again.status, again.output).toBe(0);
}

test('heals a kill of Terraform in mid-create', async () => {
  await deploy.applyAndKill('terraform', 2, 20);
  const adopted = await deploy.adopt();
  expect(adopted.status, adopted.output).toBe(0);
  expect(adopted.output).toMatch(/\d adopted$/m);
  await expectHealed();
  expect(await deploy.adopt()).toEqual({
    status: 0,
    output: 'plugin-access-test: nothing to adopt\n',
  });
});

describe('with objects that were left behind', () => {
  test('prints import blocks with --dry-run, and nothing of another environment', async () => {
    const id = leave(NETWORK, VPC);
    leave(NETWORK, VPC, { Tags: marked('plugin-access-other', NETWORK) });
    const { output } = await deploy.adopt(['--dry-run']);
    expect(output).toBe(`import {\n  to = ${NETWORK}\n  id = "${id}"\n}\n`);
    expect((await deploy.terraform(['state', 'list'])).output).not.toContain(NETWORK);
  });

  test('adopts neither of two, until one is chosen', async () => {
    const [first, second] = [leave(NETWORK, VPC), leave(NETWORK, VPC)];
    const refused = await deploy.adopt();
    expect(refused.status).toBe(22);
    expect(refused.output).toMatch(
      new RegExp(
        `${NETWORK}: 2 objects carry its mark: ${first} .*; ${second} .*\\. Choose one with`,
      ),
    );
    const chosen = await deploy.adopt(['--id', `${NETWORK}=${second}`]);
    expect(chosen.output).toContain('1 adopted');
    expect((await deploy.terraform(['state', 'pull'])).output).toContain(second);
  });

  test('names what differs with the command that imports it, and adopts the rest', async () => {
    const list = deploy.addressOf('volcenginecc_vpc_prefix_list');
    leave(list, PREFIX_LIST, { PrefixListEntries: [{ Cidr: '192.0.2.1/32' }] });
    const id = leave(NETWORK, VPC, { CidrBlock: '10.99.0.0/16' });
    leave(deploy.addressOf('volcenginecc_fwcenter_address_book'), BOOK);
    const refused = await deploy.adopt();
    expect(refused.status).toBe(22);
    expect(refused.output).toContain(`${list}: pl-`);
    const [, ...command] =
      /-chdir=\S+ (import) (\S+) (pl-\w+); the next deploy/.exec(refused.output) ?? [];
    expect(refused.output).toContain('differs from what is planned: `prefix_list_entries` [');
    expect(refused.output).toContain(
      `\`cidr_block\` "10.40.0.0/16" planned, got: "10.99.0.0/16", which cannot change after creation. Terraform would replace it: delete ${id}`,
    );
    expect((await deploy.terraform(['state', 'list'])).output).toContain('address_book');
    expect(command[1]).toBe(list);
    const imported = await deploy.terraform(command);
    expect(imported.status, imported.output).toBe(0);
    delete deploy.sandbox.cloud.state.resources[VPC]?.[id];
    await expectHealed();
  });

  test('says that an object is still being created, when the wait is over', async () => {
    const id = leave(NETWORK, VPC);
    const stored = deploy.sandbox.cloud.state.resources[VPC]?.[id];
    if (stored) stored.Status = 'Creating';
    const unsettled = await deploy.adopt(['--wait', '1s']);
    expect(unsettled.status).toBe(22);
    expect(unsettled.output).toContain(`the cloud is still creating ${id} after 1 s`);
  });
});

test('adopts what was made for a resource of another name where it is chosen', async () => {
  const id = leave(NETWORK, VPC, { Tags: marked(deploy.name, 'volcenginecc_vpc_vpc.renamed') });
  expect((await deploy.adopt()).output).toContain('nothing to adopt');
  const adopted = await deploy.adopt(['--id', `${NETWORK}=${id}`]);
  expect(adopted.output, adopted.output).toContain('1 adopted');
});

describe('refuses', () => {
  test('a stack that is not synthesized', async () => {
    const file = join(deploy.folder, 'cdk.tf.json');
    const stack = readFileSync(file, 'utf8');
    writeFileSync(file, '{');
    expect((await deploy.adopt()).status).toBe(2);
    writeFileSync(file, stack);
    const wrong = await deploy.adopt(['--wait', 'soon']);
    expect(wrong.status).toBe(2);
    expect(wrong.output).toContain(
      '`--wait` must be a duration such as 500ms, 10s or 5m; a bare number is seconds, got: "soon"',
    );
  });

  test('credentials that the cloud does not know, without showing the key', async () => {
    const { status, output } = await deploy.adopt([], {
      VOLCENGINE_ACCESS_KEY: 'AKOTHER',
      VOLCENGINE_SECRET_KEY: 'not-to-be-shown',
    });
    expect(status).toBe(22);
    expect(output).toContain('InvalidAccessKey');
    expect(output).not.toContain('not-to-be-shown');
  });

  test('an --id of nothing, of another type, of another stack, and of another address', async () => {
    const subnet = 'subnet-0123456789abcdef';
    const foreign = leave(NETWORK, VPC, { Tags: marked('plugin-access-other', NETWORK) });
    const cases = [
      [`${NETWORK}=${subnet}`, `must be a ${VPC} that exists in the cloud, got: ${subnet}`],
      [`${NETWORK}=${foreign}`, 'in the stack plugin-access-other'],
      [`volcenginecc_vpc_vpc.none=${foreign}`, 'must name a resource that the deploy would create'],
      [NETWORK, '`--id` must be ADDRESS=ID'],
    ] as const;
    for (const [choice, message] of cases) {
      const { status, output } = await deploy.adopt(['--id', choice]);
      expect(status, output).toBe(2);
      expect(output).toContain(message);
    }
  });
});

test('ends at an interrupt with 130, and adopts everything the next time', async () => {
  const id = leave(NETWORK, VPC);
  const stored = deploy.sandbox.cloud.state.resources[VPC]?.[id];
  if (stored === undefined) throw new Error(`${id} is not there`);
  const settled = stored.Status ?? 'Available';
  stored.Status = 'Creating';
  const { pid, ended, waitFor } = deploy.startAdopt();
  await waitFor('which is being created');
  process.kill(pid, 'SIGINT');
  const { status, output } = await ended;
  expect(status, output).toBe(130);
  stored.Status = settled;
  expect((await deploy.adopt()).output).toContain('1 adopted');
});

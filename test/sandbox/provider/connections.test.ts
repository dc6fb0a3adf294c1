import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { descendants } from '../../support/kill.js';
import { VPC } from '../support.js';
import { type Stack, StandInTerraform } from './stand-in-terraform.js';

/** Two clouds, and the providers of the first, which fill in its address where a stack names none. */
let first: StandInTerraform;
let second: StandInTerraform;

beforeAll(async () => {
  first = await StandInTerraform.start(20);
  second = await StandInTerraform.start(20);
});
beforeEach(() => {
  first.onChange = () => undefined;
  second.onChange = () => undefined;
});
afterAll(async () => {
  await first.stop();
  await second.stop();
});

function vpc(name: string, facts: object = {}) {
  return { [name]: { cidr_block: '10.0.0.0/16', vpc_name: name, ...facts } };
}

function inSecond(alias?: string) {
  const { endpoint } = second;
  return { ...(alias !== undefined && { alias }), endpoints: { cloudcontrolapi: endpoint } };
}

function names(cloud: StandInTerraform): unknown[] {
  return cloud.cloud.list(VPC).map(({ properties }) => properties.VpcName);
}

/** Applies a stack of the first cloud's providers whose only provider is configured for the second. */
function stackInSecond(name: string): Promise<Stack> {
  return first.stack({
    provider: { volcenginecc: inSecond() },
    resource: { volcenginecc_vpc_vpc: vpc(name) },
  });
}

test('each configuration of a provider in a run stays its own', async () => {
  const stack = await first.stack({
    provider: { volcenginecc: [{}, inSecond('other')] },
    resource: {
      volcenginecc_vpc_vpc: { ...vpc('here'), ...vpc('there', { provider: 'volcenginecc.other' }) },
    },
  });
  await stack.apply();
  expect([names(first), names(second)]).toEqual([['here'], ['there']]);
  expect(await stack.planStatus()).toBe(0);
  await stack.destroy();
  expect([names(first), names(second)]).toEqual([[], []]);
});

test('runs at the same time stay their own, also where one of them is killed', async () => {
  const here = await first.stack({ resource: { volcenginecc_vpc_vpc: vpc('here') } });
  const there = await stackInSecond('there');
  const killed = await stackInSecond('killed');
  const kill = new AbortController();
  second.onChange = () => kill.abort();
  const victim = killed.run(['apply', '-auto-approve'], {}, (group) => {
    kill.signal.addEventListener('abort', () => process.kill(-group, 'SIGKILL'), { once: true });
  });
  await once(kill.signal, 'abort');
  second.onChange = () => undefined;
  await Promise.all([here.apply(), there.apply(), victim]);
  expect([names(first), names(second).sort()]).toEqual([['here'], ['killed', 'there']]);
  await Promise.all([here.destroy(), there.destroy()]);
  expect([names(first), names(second)]).toEqual([[], ['killed']]);
});

test('Terraform starts no process for a provider, and installs none', async () => {
  const stack = await first.stack({ resource: { volcenginecc_vpc_vpc: vpc('here') } });
  let terraform = 0;
  let started: number[] | undefined;
  first.onChange = () => {
    started ??= descendants(terraform);
  };
  await stack.run(['apply', '-auto-approve'], {}, (pid) => {
    terraform = pid;
  });
  expect(started).toEqual([]);
  expect(existsSync(join(stack.folder, '.terraform.lock.hcl'))).toBe(false);
  expect(existsSync(join(stack.folder, '.terraform'))).toBe(false);
  first.onChange = () => undefined;
  await stack.destroy();
});

test('a provider that is not of the sandbox is asked of no registry', async () => {
  const stack = first.stack({
    terraform: { required_providers: { random: { source: 'hashicorp/random' } } },
  });
  await expect(stack).rejects.toThrow(/hashicorp\/random: no available releases/);
});

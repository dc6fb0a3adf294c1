import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cloudDecisionsReference } from '../../scripts/cloud-decisions-reference.js';
import { OPTIONS, permissionsReference, used } from '../../scripts/permissions-reference.js';
import { providerReference } from '../../scripts/provider-reference.js';
import { settingsReference } from '../../scripts/settings-reference.js';
import { settingsSchema } from '../../src/settings/schema.js';
import { EVERY_OPTION, STACKS, synthesized } from './every-option.js';

test.each([
  ['docs/settings.md', settingsReference],
  ['docs/permissions.md', permissionsReference],
])('%s is current: npm run docs', (file, reference) => {
  expect(readFileSync(file, 'utf8')).toBe(reference());
});

test.each([
  ['docs/sandbox.md', providerReference],
  ['docs/reach.md', cloudDecisionsReference],
])('the last part of %s is current: npm run docs', (file, reference) => {
  const [, last] = readFileSync(file, 'utf8').split(
    /\n(?=## How the (?:provider behaves|cloud decides)\n)/,
  );
  expect(last).toBe(reference());
});

test('the settings reference has every option', () => {
  const text = settingsReference();
  for (const option of Object.keys(settingsSchema.shape))
    expect(text).toContain(`| \`${option}\` |`);
  expect(text).not.toContain('undefined');
});

/** Types of the cloud that the stacks of the settings make, without the provider's prefix. */
function madeBy(settings: object): string[] {
  const stacks = Object.keys(STACKS) as (keyof typeof STACKS)[];
  const types = stacks.flatMap((stack) =>
    Object.keys(synthesized(stack, settings).json.resource ?? {}),
  );
  return types.flatMap((type) => (/^volcenginecc_(.+)/.exec(type) ?? []).slice(1));
}

const { region, apiHost, network, serviceEndpoint, fixedIpIngress, pluginEndpointService } =
  EVERY_OPTION;
const given = { region, apiHost };
const endpoint = { ...given, network, serviceEndpoint: { ...serviceEndpoint, privateZone: false } };
const { securityGroup, prefixList: _, cloudFirewall, ...ingress } = fixedIpIngress;
const fixedIp = (target: object) => ({ ...given, fixedIpIngress: { ...ingress, ...target } });
const existing = { loadBalancerId: 'clb-1a2b', port: 80 };

/** Settings with the option of a row of the page, and without, where the row says what is made besides. */
const SHOWN: Readonly<Record<string, readonly [settings: object, besides?: object]>> = {
  '`network` and `serviceEndpoint` (private-network access to the API)': [endpoint],
  '`serviceEndpoint.privateZone`, in addition': [{ ...endpoint, serviceEndpoint }, endpoint],
  '`securityGroup` (fixed-IP access to the API or to a plugin)': [fixedIp({ securityGroup })],
  '`prefixList`': [fixedIp({ prefixList: { vpcId: 'vpc-1a2b' } })],
  '`cloudFirewall`': [fixedIp({ cloudFirewall })],
  '`pluginEndpointService` with an existing load balancer': [
    { ...given, pluginEndpointService: { ...pluginEndpointService, loadBalancer: existing } },
  ],
  '`pluginEndpointService` with a new load balancer, in addition': [
    { ...given, pluginEndpointService },
    { ...given, pluginEndpointService: { ...pluginEndpointService, loadBalancer: existing } },
  ],
};

test.each(OPTIONS)('the permissions of %s are for what its stack makes', (option, types) => {
  const [settings, besides] = SHOWN[option] ?? [{}];
  const others = besides === undefined ? [] : madeBy(besides);
  const made = madeBy(settings).filter((type) => !others.includes(type));
  expect(types.toSorted()).toEqual(made.sort());
});

test('the permissions have every type that a stack makes', () => {
  const types = madeBy(EVERY_OPTION).map((type) => `volcenginecc_${type}`);
  expect(used()).toEqual(expect.arrayContaining(types));
});

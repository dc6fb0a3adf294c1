import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TerraformStack, Testing } from 'cdktf';
import { CloudProvider } from 'cdktf-secure-connectivity';
import { describe, expect, test } from 'vitest';
import { examples, withExample } from '../../scripts/examples.js';
import { testingApp } from '../support/testing-app.js';

/** Constructs that users make, by the files of their classes. */
const CONSTRUCTS = [
  'cloud-provider',
  'fixed-ip-egress',
  'fixed-ip-ingress',
  'plugin-endpoint-service',
  'post-deploy-check',
  'private-network',
  'service-endpoint',
  'user-id-header',
];

test('each construct has an example', () => {
  expect(readdirSync('stacks/examples').sort()).toEqual(CONSTRUCTS.map((name) => `${name}.ts`));
});

describe.each(examples())('the example of $name', ({ name, source }) => {
  test('makes a stack without a mistake', async () => {
    const stack = new TerraformStack(testingApp(), 'example');
    if (name !== 'cloud-provider') new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
    const { example } = (await import(resolve(`stacks/examples/${name}.ts`))) as {
      example: (stack: TerraformStack) => void;
    };
    example(stack);
    const { provider, output } = JSON.parse(Testing.synth(stack, true)) as Record<string, object>;
    expect(provider).toHaveProperty('volcenginecc');
    if (name !== 'cloud-provider' && name !== 'private-network') {
      expect(Object.keys(output ?? {})).not.toEqual([]);
    }
  });

  test('is in its docstring: npx tsx scripts/examples.ts', () => {
    expect(withExample(name, source)).toBe(readFileSync(source, 'utf8'));
  });
});

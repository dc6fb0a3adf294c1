import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BASE } from '../../review/settings-changes.js';
import { runHere } from '../../support/run-here.js';
import { synthesizeAll } from '../../support/synthesize-all.js';

const TREE = join(synthesizeAll({ base: BASE }), 'base');

const intent = (expected: 'reachable' | 'closed') => ({
  environment: 'live',
  intents: [
    {
      name: 'our clients call',
      from: '10.20.0.0/23',
      to: 'service-endpoint',
      port: 443,
      expect: expected,
    },
  ],
});

async function deploy(expected: 'reachable' | 'closed') {
  for (const stack of readdirSync(join(TREE, 'stacks'))) {
    writeFileSync(join(TREE, 'stacks', stack, 'intents.json'), JSON.stringify(intent(expected)));
  }
  // A Terraform that fails: nothing is to be planned.
  const env = { TERRAFORM_BINARY_NAME: 'false' };
  return await runHere(['deploy', 'api-access-live', '--tree', TREE, '--auto-approve'], { env });
}

test('a tree that breaks an intent is refused with one packet before Terraform runs, and no other', async () => {
  const broken = await deploy('closed');
  expect([broken.exit, broken.stderr]).toEqual([
    4,
    expect.stringMatching(/"our clients call" is broken: 10\.20\.\d+\.\d+ → agent-service:443/),
  ]);
  const held = await deploy('reachable');
  expect(held.exit).not.toBe(4);
  expect(held.stderr).not.toContain('is broken');
});

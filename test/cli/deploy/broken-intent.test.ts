import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BASE } from '../../review/settings-changes.js';
import { runHere } from '../../support/run-here.js';
import { synthesizeAll } from '../../support/synthesize-all.js';

const TREE = join(synthesizeAll({ base: BASE }), 'base');

const intent = (expected: 'reachable' | 'closed', expires?: string) => ({
  environment: 'live',
  intents: [
    {
      name: 'our clients call',
      from: '10.20.0.0/23',
      to: 'service-endpoint',
      port: 443,
      expect: expected,
      ...(expires !== undefined && {
        exception: { reason: 'until the audit', owner: 'network team', expires },
      }),
    },
  ],
});

async function deploy(expected: 'reachable' | 'closed', expires?: string) {
  for (const stack of readdirSync(join(TREE, 'stacks'))) {
    writeFileSync(
      join(TREE, 'stacks', stack, 'intents.json'),
      JSON.stringify(intent(expected, expires)),
    );
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

test('an exception lets a broken intent through until its last day, and is said; after it nothing does', async () => {
  const kept = await deploy('closed', '9999-12-31');
  expect(kept.exit).not.toBe(4);
  expect(kept.stderr).toMatch(
    /^secure-connectivity: "our clients call" is broken: 10\.20\.\S+ → agent-service:443.*\(exception of network team until 9999-12-31\)$/m,
  );
  const expired = await deploy('closed', '2020-01-31');
  expect([expired.exit, expired.stdout]).toEqual([4, '']);
  expect(expired.stderr).toMatch(
    /"our clients call" is broken: 10\.20\.\S+ → agent-service:443.*\(exception of network team expired on 2020-01-31\)$/m,
  );
});

import { expect, test } from 'vitest';
import { API_HOST, ENDPOINT_HOST } from '../support/application.js';
import { runCli } from '../support/run-cli.js';
import { ADDRESS, createWorld } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

test('a check whose terminal goes away reports what was seen so far', async () => {
  const world = await createWorld();
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  world.service.handler = () => {
    kill('SIGHUP');
    return 'silent';
  };
  const link = ['--base-url', `https://${ENDPOINT_HOST}`, '--via', 'service-endpoint'];
  const about = ['--api-host', API_HOST, '--expect-address', ADDRESS, '--format', 'json'];
  const { exit, stdout } = await runCli(['verify', ...link, ...about, ...worldFlags(world)], {
    onStart: (killer) => {
      kill = killer;
    },
  });
  expect(exit).toBe(130);
  expect(JSON.parse(stdout).links[0].stages).toContainEqual(
    expect.objectContaining({ stage: 'tcp', status: 'passed' }),
  );
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectToRules } from '../../../src/verify/transport/connect-to.js';
import {
  ADDRESS,
  answer,
  check,
  createWorld,
  link,
  outline,
} from '../../support/verifiable-link.js';

const SECOND = '10.1.2.4';

/** Makes each of the next dials of an address take so long, by the clock of the check. */
function slowDown(address: string, dialsMs: readonly number[]) {
  const now = performance.now.bind(performance);
  let skewMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + skewMs);
  const left = [...dialsMs];
  const { find } = ConnectToRules.prototype;
  const dial = vi.spyOn(ConnectToRules.prototype, 'find').mockImplementation(function (
    this: ConnectToRules,
    ...asked
  ) {
    if (asked[1] === address) skewMs += left.shift() ?? 0;
    return find.apply(this, asked);
  });
  onTestFinished(() => {
    dial.mockRestore();
    clock.mockRestore();
  });
}

/** Checks a link of two addresses; the dials of the second take so many milliseconds in turn. */
async function checkWithDials(dialsMs: readonly number[]): Promise<readonly string[]> {
  const world = await createWorld();
  world.dns = answer(ADDRESS, SECOND);
  await world.connectTo({ [ADDRESS]: world.service.port, [SECOND]: world.service.port });
  slowDown(SECOND, dialsMs);
  return outline(await check(world, { links: [link({ expectedAddresses: [] })] }));
}

test.each([
  ['twice', [400, 400]],
  ['by the second that a lost packet costs', [1_000]],
])('an address that opens slowly, %s, is told as slow', async (_, dialsMs) => {
  const stages = await checkWithDials(dialsMs);
  expect(stages).toContain('tcp warned tcp.slow');
  expect(stages).toContain('token passed');
});

test('one handshake that a machine under load held up is not told as slow', async () => {
  const stages = await checkWithDials([400]);
  expect(stages.filter((line) => line.startsWith('tcp'))).toEqual(['tcp passed', 'tcp passed']);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VerifyOptions } from '../../../src/verify/model/options.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { htmlReport } from '../../../src/verify/reports/written.js';
import { ADDRESS, check, createWorld, link, type World } from '../../support/verifiable-link.js';

/** A private link whose name is not there, in a network that no interface of this machine is in. */
async function failing(): Promise<{ world: World; links: VerifyOptions['links'] }> {
  const world = await createWorld();
  world.dns = { names: {} };
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const links = [link({ expectedNetworks: ['198.18.0.0/15'], expectedAddresses: [] })];
  return { world, links };
}

test('the address that was given replaces those of the interfaces', async () => {
  const { world, links } = await failing();
  const [own] = links;
  const expectedNetworks = ['203.0.113.0/24', '198.18.0.0/15'];
  const verification = await check(world, {
    links: own === undefined ? [] : [{ ...own, expectedNetworks }],
    ownAddresses: ['192.0.2.7', '198.18.0.9'],
  });
  expect(textReport(verification, { isVerbose: true })).toContain(
    'seen     own-address of this machine, as given: 198.18.0.9, in 198.18.0.0/15',
  );
  expect(verification.links[0]?.causes.map(({ code }) => code)).not.toContain(
    'host.outside-network',
  );
});

test('an address that was given and is outside is a cause, with the address', async () => {
  const { world, links } = await failing();
  const verification = await check(world, { links, ownAddresses: ['192.0.2.7, 2001:db8::7'] });
  const outside = verification.links[0]?.causes.find(({ code }) => code === 'host.outside-network');
  expect(outside?.evidence).toContain('own=192.0.2.7, 2001:db8::7');
});

test('a file is read when the link fails, and says nothing while it names none', async () => {
  const { world, links } = await failing();
  const file = join(world.folder, 'own');
  const own = async (text: string | Buffer) => {
    writeFileSync(file, text);
    const verification = await check(world, { links, ownAddresses: [`@${file}`] });
    return verification.links[0]?.probes?.find(({ name }) => name === 'own-address')?.ok;
  };
  expect(await own('# none yet\n')).toBeUndefined();
  expect(await own('# one\n198.18.0.9\n')).toBe(true);
  await expect(own(Buffer.from('198.18.0.9', 'utf16le'))).rejects.toThrow(
    /UTF-16: save it as UTF-8/,
  );
});

test('the page says from which addresses was checked, and not in which file they are', async () => {
  const { world, links } = await failing();
  const file = join(world.folder, 'own');
  writeFileSync(file, '192.0.2.7\n198.18.0.9\n');
  const settings = [{ name: '--own-address', source: 'command line', value: `@${file}` }];
  const verification = await check(world, { links, ownAddresses: [`@${file}`], settings });
  const [, from = ''] = /<dt>from<\/dt><dd>(.*?)<\/dd>/.exec(htmlReport(verification)) ?? [];
  expect(from).toMatch(/^192\.0\.2\.7, 198\.18\.0\.9, /);
  expect(from).not.toContain(file);
});

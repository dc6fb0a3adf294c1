import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { expectDiagnosis } from '../../support/explained.js';
import { answerRaw } from '../../support/raw-service.js';
import { listen } from '../../support/service-server.js';
import { ADDRESS, check, createWorld, findingOf, stagesOf } from '../../support/verifiable-link.js';

const DATA = 23;
const HANDSHAKE = 22;
const CHANGE_CIPHER = 20;

/** What becomes of the records of TLS 1.2 in one direction. */
type Change = (record: Buffer, type: number) => Buffer;

/** Changes the last byte of the records of a type, from the one with this number on. */
function damaged(wanted: number, from = 1): () => Change {
  return () => {
    let count = 0;
    let isCiphered = false;
    return (record, type) => {
      isCiphered ||= type === CHANGE_CIPHER;
      if (type !== wanted || !isCiphered) return record;
      count += 1;
      if (count < from) return record;
      const copy = Buffer.from(record);
      copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 0xff;
      return copy;
    };
  };
}

/** Cuts what it is given into whole records. */
function recordsOf(change: Change): (chunk: Buffer) => Buffer {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    const out: Buffer[] = [];
    while (held.length >= 5 && held.length >= 5 + held.readUInt16BE(3)) {
      const size = 5 + held.readUInt16BE(3);
      out.push(change(held.subarray(0, size), held.readUInt8(0)));
      held = held.subarray(size);
    }
    return Buffer.concat(out);
  };
}

const same: () => Change = () => (record) => record;

/** A world with a device on the path that changes records. */
async function checkChanged(fromServer: () => Change, fromHere: () => Change) {
  const world = await createWorld();
  const port = await answerRaw(world, () => undefined, world.authority, { maxVersion: 'TLSv1.2' });
  const device = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const [outward, inward] = [recordsOf(fromHere()), recordsOf(fromServer())];
    near.on('error', () => far.destroy()).on('data', (chunk) => far.write(outward(chunk)));
    far.on('error', () => near.destroy()).on('data', (chunk) => near.write(inward(chunk)));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await world.connectTo({ [ADDRESS]: await listen(device) });
  return await check(world);
}

/** Causes of a connection that is silent or cut, or of a handshake that is refused. */
const never = [
  ...[
    'http.timeout',
    'http.reset',
    'http.timeout',
    'server.unsteady: one call lost',
    'tls.failed',
    'tls.failed: alert',
  ],
  ...['server.no-target', 'path.name-filter', 'tls.name-mismatch', 'server.other-service'],
];

test.each([
  ['an answer', damaged(DATA), same],
  ['a request', same, damaged(DATA)],
  ['the end of the handshake', damaged(HANDSHAKE), same],
  ['what is no record', () => toPlain, same],
])('a connection on which %s is changed is damaged, and neither silent nor refused', async (_, fromServer, fromHere) => {
  const verification = await checkChanged(fromServer, fromHere);
  expectDiagnosis(verification, { fails: 'tls.failed: damaged', never });
});

const toPlain: Change = (record, type) =>
  type === DATA ? Buffer.from('HTTP/1.1 503 Service Unavailable\r\n\r\n') : record;

test('the report says who objects to a record, and in which words', async () => {
  const here = await checkChanged(damaged(DATA), same);
  expect(findingOf(here, 'tls').evidence).toMatchObject({
    'after the handshake': expect.stringMatching(/^ERR_SSL_/),
    names: `DNS:${ENDPOINT_HOST}`,
  });
  const there = await checkChanged(same, damaged(DATA));
  expect(findingOf(there, 'tls').evidence.alert).toBe('bad_record_mac');
});

test('a record that is damaged in the second answer is told of the call that it answers', async () => {
  const verification = await checkChanged(damaged(DATA, 2), same);
  const failures = stagesOf(verification).filter(({ status }) => status === 'failed');
  expect(failures.map((one) => [one.stage, reasonOf(one)])).toEqual([
    ['workspaces', 'tls.failed: damaged'],
  ]);
});

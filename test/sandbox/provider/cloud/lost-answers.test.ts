import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startCloudServer } from '../../../../src/sandbox/cloud/cloud-server.js';
import { listen } from '../../../../src/sandbox/listeners/listen.js';
import {
  CloudControlClient,
  SILENT_CLOUD,
} from '../../../../src/sandbox/provider/cloud/cloud-control-client.js';
import { emptyCloud, VPC } from '../../support.js';

/** A client of a cloud whose first answers are lost on the way. */
async function clientOf(lost: number) {
  const cloud = emptyCloud();
  const server = await startCloudServer(cloud, 'key');
  let left = lost;
  const relay = await listen(
    createServer((socket) => {
      const onward = connect(server.port, '127.0.0.1');
      socket.pipe(onward);
      onward.on('data', (answer) => {
        left -= 1;
        if (left < 0) socket.write(answer);
        else socket.destroy();
      });
      for (const end of [socket, onward]) end.on('error', () => undefined);
      socket.on('close', () => onward.destroy());
    }),
  );
  onTestFinished(async () => {
    await relay.stop();
    await server.stop();
  });
  const settings = { endpoint: `127.0.0.1:${relay.port}`, region: 'cn-beijing', accessKey: 'key' };
  return { cloud, client: new CloudControlClient(settings, new AbortController().signal) };
}

const TargetState = { CidrBlock: '10.0.0.0/16' };

test('a create whose answer is lost is asked for again, and made once', async () => {
  const { cloud, client } = await clientOf(1);
  const { Identifier: id } = await client.operate('CreateResource', VPC, { TargetState });
  expect(cloud.list(VPC).map(({ identifier }) => identifier)).toEqual([id]);
});

test('a cloud that never answers is said to have failed', async () => {
  const { cloud, client } = await clientOf(Number.POSITIVE_INFINITY);
  await expect(client.operate('CreateResource', VPC, { TargetState })).rejects.toThrow(
    SILENT_CLOUD,
  );
  expect(cloud.list(VPC).length).toBeLessThan(2);
});

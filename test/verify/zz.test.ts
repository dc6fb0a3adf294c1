import { test } from 'vitest';
import { check, createWorld } from '../support/verifiable-link.js';
import * as c from '../../src/service/connection.js';
test('x', async () => {
  const world = await createWorld({ clientCertificate: true });
  const v = await check(world);
});

import { expect, test } from 'vitest';
import { exitOf, textReport, verificationSchema, verify } from '../../../src/verify/index.js';

const connected = {
  name: 'order-lookup',
  serviceId: 'epsvc-1',
  endpointId: 'ep-1',
  ownerAccountId: '2100000001',
  status: 'Connected',
};

test('a connection is reported at deploy time, and never as passed or reachable', async () => {
  const report = await verify({ links: [], connections: [connected] });
  expect(verificationSchema.parse(report)).toEqual(report);
  expect(report.connections).toEqual([{ ...connected, asOf: 'deploy' }]);
  expect(report.verdict).toBe('incomplete');
  expect(exitOf(report)).toBe(0);
  const text = textReport(report);
  expect(text).toContain('Connected at deploy time (not re-checked)');
  expect(text).not.toMatch(/passed|reachable/);
});

test.each([
  ['PendingAcceptance', 'connection.pending', /acceptedEndpointIds/],
  ['Rejected', 'connection.lost', /console/],
  ['ServiceDeleted', 'connection.lost', /load balancer/],
])('a connection that the deploy left %s fails with exit 18 and the remedy', async (status, code, remedy) => {
  const report = await verify({
    links: [],
    connections: [connected, { ...connected, endpointId: 'ep-2', status }],
  });
  expect(report.connections?.map((connection) => connection.code)).toEqual([undefined, code]);
  expect(exitOf(report)).toBe(18);
  const text = textReport(report);
  expect(text).toContain(`${status} at deploy time`);
  expect(text).toMatch(remedy);
});

test('nothing to check and nothing to tell is refused', async () => {
  await expect(verify({ links: [] })).rejects.toThrow('`links` must have at least one link');
});

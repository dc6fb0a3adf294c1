import { expect, test } from 'vitest';
import { reviewOfTerraform } from './trees.js';

const output = (value: string) => ({ output: { 'service-endpoint-records': { value } } });
const RECORDS = '[{"name":"api.example.com","type":"A","value":"10.20.1.9"}]';

test('records for others to enter need approval when they change', () => {
  const { decision, findings } = reviewOfTerraform(
    output(RECORDS),
    output(RECORDS.replace('10.20.1.9', '192.0.2.1')),
  );
  expect(decision).toBe('needs-approval');
  expect(findings).toContainEqual(
    expect.objectContaining({
      kind: 'destination',
      resource: 'output.service-endpoint-records',
      what: 'records for others to enter',
    }),
  );
});

test('a record in a zone that exists needs approval when it leads elsewhere', () => {
  const record = (value: string) => ({
    resource: {
      volcenginecc_privatezone_record: {
        own: { zid: 1001, host: 'api', type: 'A', ttl: 60, value },
      },
    },
  });
  const { decision, findings } = reviewOfTerraform(record('10.20.1.9'), record('192.0.2.1'));
  expect(decision).toBe('needs-approval');
  expect(findings).toContainEqual(
    expect.objectContaining({ kind: 'destination', what: 'the name api in 1001' }),
  );
});

import { expect, test, vi } from 'vitest';
import { sameValue } from '../../src/cloud/table/compare.js';
import { findResourceRow } from '../../src/cloud/table/index.js';

const rule = (more: object = {}) => ({
  ...{ cidr_ip: '10.0.0.0/8', port_start: 443, port_end: 443, policy: 'accept', ...more },
});
const other = rule({ cidr_ip: '10.1.0.0/16' });
const SERVERS = 'clb_server_group servers';
const RULES = 'vpc_security_group ingress_permissions';

test.each([
  ['sets in another order, and repeats', RULES, [rule(), other], [other, rule(), rule()], true],
  ['another member', RULES, [rule(), other], [rule(), rule({ cidr_ip: '10.2.0.0/16' })], false],
  ['one member more', RULES, [rule()], [rule(), other], false],
  ['a number as text within a set', RULES, [rule({ port_end: '443' })], [rule()], true],
  ['the number of a zone as text', 'privatezone_record zid', '0400', 400, true],
  ['text that looks like a number', 'privatezone_record host', '0400', 400, false],
  [
    'the cloud’s names',
    SERVERS,
    [{ ip: '10.0.0.1', port: 80 }],
    [{ Ip: '10.0.0.1', Port: '80' }],
    true,
  ],
  ['a default that is not stated', SERVERS, [{ ip: 'a' }], [{ ip: 'a', weight: 0 }], true],
  ['another value than the default', SERVERS, [{ ip: 'a' }], [{ ip: 'a', weight: 5 }], false],
  ['a default that is not told', SERVERS, [{ ip: 'a', weight: 0 }], [{ ip: 'a' }], true],
  ['what the cloud fills in', RULES, [rule()], [rule({ priority: 1, description: 'x' })], true],
  ['what is stated and not there', RULES, [rule({ priority: 1 })], [rule()], false],
  ['empty and absent', 'vpc_security_group description', '', undefined, true],
  ['an empty set, where there is one', RULES, [], [rule()], false],
  ['an object in the place of a text', 'vpc_security_group description', {}, 'x', false],
])('compares %s', (_, place, stated, actual, isSame) => {
  const [type, name = ''] = place.split(' ');
  const attribute = findResourceRow(`volcenginecc_${type}`)?.attributes[name];
  expect(attribute).toBeDefined();
  expect(sameValue(attribute, stated, actual)).toBe(isSame);
});

test('thousands of members in another order are compared by their letters alone', () => {
  const all = Array.from({ length: 5000 }, (_, i) => rule({ port_start: i }));
  const isAlike = vi.fn(() => undefined);
  expect(sameValue(undefined, all, all.toReversed(), isAlike)).toBe(true);
  expect(isAlike).toHaveBeenCalledTimes(1);
});

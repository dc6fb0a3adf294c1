import { expect, test } from 'vitest';
import { parseAddress } from '../../src/net/address.js';
import { specialRange } from '../../src/net/special-ranges.js';

test.each([
  ['169.254.169.254', /^169\.254\.0\.0\/16, link-local/],
  ['198.18.0.1', /^198\.18\.0\.0\/15, benchmarks/],
  ['192.0.2.1', /documentation/],
  ['198.51.100.7', /documentation/],
  ['203.0.113.10', /documentation/],
  ['192.88.99.1', /6to4/],
  ['224.0.0.1', /multicast/],
  ['255.255.255.255', /reserved/],
  ['0.1.2.3', /this network/],
  ['64:ff9b::10.1.2.3', /NAT64, RFC 6052, of the private address 10\.1\.2\.3$/],
  ['64:ff9b::169.254.0.1', /NAT64.*of 169\.254\.0\.1 \(169\.254\.0\.0\/16, link-local/],
  ['64:ff9b:1::1', /local NAT64/],
  ['2002:0a01:0203::1', /6to4, RFC 3056, of the private address 10\.1\.2\.3$/],
  ['2002:0808:0808::1', /^2002::\/16, 6to4, RFC 3056$/],
  ['2001:db8::1', /documentation/],
  ['fe80::1', /link-local/],
  ['ff02::1', /multicast/],
  ['4000::1', /not assigned/],
])('%s is told by its range', (text, range) => {
  expect(specialRange(parseAddress(text))).toMatch(range);
});

test.each([
  '10.0.0.1',
  '100.64.0.1',
  'fd00::1',
  '8.8.8.8',
  '36.110.186.29',
  '2400:3200::1',
  '64:ff9b::8.8.8.8',
])('%s is private, or routed on the internet', (text) => {
  expect(specialRange(parseAddress(text))).toBeUndefined();
});

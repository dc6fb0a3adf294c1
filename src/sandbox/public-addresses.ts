import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';

/** What the host of the fixed-IP API resolves to: the true addresses. Dials never reach them. */
export const SERVICE_ADDRESSES: readonly string[] = FIXED_ADDRESSES.entries.map(
  ({ address }) => address,
);

/** An address of TEST-NET-3: public to whoever judges it, and nobody's. */
export const PUBLIC_STAND_IN = '203.0.113.10';

/** From where the service calls a fixed-IP plugin: addresses of TEST-NET-2. */
export const PLUGIN_ADDRESSES: readonly string[] = [
  '198.51.100.11',
  '198.51.100.12',
  '198.51.100.13',
];

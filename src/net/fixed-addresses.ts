import { type AddressList, effectiveCidrs } from './address-list.js';

const SOURCE = 'documentation of the service for enterprises, fixed-IP access to the API';
const FIRST_SEEN = '2026-05-04';

/**
 * The addresses of the service's fixed-IP API; specification, part 5. They ship as data and can be
 * replaced in the settings: the service may change them without a new version of this package.
 */
export const FIXED_ADDRESSES: AddressList = {
  version: FIRST_SEEN,
  entries: [
    '36.110.186.29',
    '36.110.186.35',
    '101.126.58.175',
    '101.126.58.176',
    '101.126.58.177',
    '110.249.198.5',
    '110.249.198.6',
    '111.62.49.199',
    '111.62.49.200',
    '111.63.62.233',
    '111.63.62.234',
    '111.225.144.30',
    '111.225.144.31',
    '113.24.210.25',
    '113.24.210.26',
    '121.30.176.142',
    '121.30.176.143',
    '122.14.229.7',
    '122.14.229.102',
    '122.14.229.103',
    '183.201.125.143',
    '183.201.125.144',
    '221.194.131.78',
    '221.194.131.81',
  ].map((address) => ({ address, state: 'active', firstSeen: FIRST_SEEN, source: SOURCE })),
};

/** Those that are let through, as networks of one address. */
export const FIXED_CIDRS: readonly string[] = effectiveCidrs(FIXED_ADDRESSES);

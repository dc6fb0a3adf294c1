import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressList, AddressState } from '../../src/net/address-list.js';
import { temporaryFolder } from './cleanup.js';

export const entry = (address: string, state: AddressState = 'active') => ({
  address,
  state,
  firstSeen: '2026-05-04',
  source: 'letter',
});
export const list = (...entries: AddressList['entries']): AddressList => ({
  version: '1',
  entries,
});
export const FOUR = ['198.51.100.1', '198.51.100.2', '198.51.100.9', '198.51.100.10'];

/** A file with a list of addresses. */
export async function listFile(content: string | object): Promise<string> {
  const path = join(await temporaryFolder(), 'list');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

import * as z from 'zod';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { parseBounded } from '../../files/json-text.js';
import { ADDRESS_STATES, type AddressList, addressListProblems } from '../../net/address-list.js';
import { readNamedFile } from '../program/named-files.js';

const printable = z
  .string()
  .min(1)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const day = z.iso.date('must be a date such as 2026-05-04');

const listFile = z.object({
  version: printable,
  entries: z.array(
    z.object({
      address: z.string(),
      state: z.enum(ADDRESS_STATES),
      firstSeen: day,
      source: printable,
    }),
  ),
});

/** Reads a list of this package: JSON with `version` and `entries`. @throws ConnectivityError `addresses.invalid` */
export async function readList(name: string, file: string): Promise<AddressList> {
  return checkedList(name, await readNamedFile(name, file), file);
}

/**
 * Reads what a vendor hands over: an address or a network a line, `#` begins a comment; or a list of
 * this package.
 *
 * @param source of entries that do not name one
 * @throws ConnectivityError `addresses.invalid` naming the line or entry
 */
export async function readVendorList(
  name: string,
  file: string,
  origin: { readonly date: string; readonly source: string },
): Promise<AddressList> {
  const text = await readNamedFile(name, file);
  if (/^\s*\{/.test(text)) return checkedList(name, text, file);
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const broken = lines.find(({ line }) => line.includes('\r'));
  if (broken) {
    throw invalid(
      `\`${name}\` line ${broken.number} must end with a line feed alone, got: ${JSON.stringify(broken.line)}`,
    );
  }
  const kept = lines
    .map(({ line, number }) => ({ address: line.replace(/#.*/s, '').trim(), number }))
    .filter(({ address }) => address !== '');
  const entries = kept.map(({ address }) => ({
    address,
    state: 'active' as const,
    firstSeen: origin.date,
    source: origin.source,
  }));
  const list = { version: origin.date, entries };
  const problems = addressListProblems(name, list).map((problem) =>
    problem.replaceAll(`\`${name}[`, '`[').replace(/`\[(\d+)\]`/g, (_, index: string) => {
      return `\`${name}\` line ${kept[Number(index)]?.number}`;
    }),
  );
  if (problems.length > 0) throw invalid(problems.join('; '));
  return list;
}

function checkedList(name: string, text: string, file: string): AddressList {
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch (cause) {
    throw invalid(`\`${name}\` must hold JSON, got: ${file}`, cause);
  }
  const result = listFile.safeParse(value, { reportInput: true });
  if (!result.success) {
    const [problem] = result.error.issues.map((issue) => issueText(issue));
    throw invalid(`\`${name}\`: ${problem}, got: ${file}`);
  }
  const problems = addressListProblems(`${name}.entries`, result.data);
  if (problems.length > 0) throw invalid(problems.join('; '));
  return result.data;
}

function invalid(message: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError('addresses.invalid', message, { cause });
}

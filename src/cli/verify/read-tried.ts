import { usageError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import type { IntentProof } from '../../reach/intents/report-schema.js';
import { readNamedJson } from '../program/named-files.js';

/** Reads what checks saw of intents, by name, from their JSON reports. @throws ConnectivityError `usage.invalid` */
export async function readTried(files: readonly string[]): Promise<Map<string, IntentProof[]>> {
  const tried = new Map<string, IntentProof[]>();
  if (files.length === 0) return tried;
  const [{ verificationSchema }, { joinDoors }] = await Promise.all([
    import('../../verify/model/verification.js'),
    import('../../verify/reports/connections.js'),
  ]);
  for (const file of files) {
    const read = verificationSchema.safeParse(await readNamedJson('--check', file), {
      reportInput: true,
    });
    if (!read.success) {
      const [problem = ''] = read.error.issues.map((issue) => issueText(issue));
      throw usageError(`\`--check\` must be a JSON report of verify; ${problem}, got: ${file}`);
    }
    const joined = joinDoors(read.data.intents ?? []);
    for (const { name, vantagePoint, from, door, result, seen, at } of joined) {
      const packet = from === undefined || door === undefined ? '' : `${from} → ${door}`;
      const where = vantagePoint ?? 'where the check ran';
      const proof = { by: 'packets', where, when: at, result, packet, detail: seen } as const;
      tried.set(name, [...(tried.get(name) ?? []), proof]);
    }
  }
  return tried;
}

import { readFileSync } from 'node:fs';

/** What Node itself, its modules, key and report files have open. */
const OWN_FILES = 40;

/** Of one link: a question to a DNS server, connections, the file of rules. */
const FILES_OF_LINK = 4;

/** So many links at once as the files that this process may open allow, each connection being one. */
export function affordable(wanted: number, limit = openFilesLimit()): number {
  return Math.max(1, Math.min(wanted, Math.floor((limit - OWN_FILES) / FILES_OF_LINK)));
}

/** Where the system does not say, there is no limit. */
function openFilesLimit(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

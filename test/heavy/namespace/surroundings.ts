import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const FOLDER = process.env.FOLDER ?? '';

/** Set by whoever made the namespace, so that what is left out here is seen to be left out there. */
const HAS_FIREWALL = process.env.FIREWALL === 'nft';

export const withFirewall = test.skipIf(!HAS_FIREWALL);

/** Replaces the rules of the namespace's firewall by these, for what comes in. */
export function firewall(rules: string): void {
  execFileSync('nft', ['-f', '-'], {
    input: `flush ruleset
      table inet t {
        chain in {
          type filter hook input priority 0
          ${rules}
        }
      }`,
  });
}

/** Replaces what the system's resolver of the namespace reads. */
export function configure(file: 'hosts' | 'resolv.conf' | 'nsswitch.conf', text: string): void {
  writeFileSync(join(FOLDER, file), text);
}

/** Takes back what a test has changed. */
export function likeNew(): void {
  if (HAS_FIREWALL) firewall('');
  configure('hosts', '127.0.0.1 localhost\n');
  configure('nsswitch.conf', 'hosts: files dns\n');
  configure('resolv.conf', RESOLV_CONF);
}

export const RESOLV_CONF = 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n';

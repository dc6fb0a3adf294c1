import { execFileSync, spawnSync } from 'node:child_process';
import { type Json, text } from '../../../src/reach/read/json.js';

/** A new connection to the door. */
export interface Knock {
  readonly from: string;
  readonly port: number;
}

/** Rules of a security group for what comes in, and connections to try under them. */
export interface Case {
  readonly rules: readonly Json[];
  readonly knocks: readonly Knock[];
}

const DOOR = '10.255.0.1';

/** Dials from addresses of its own loopback; a connection that is not there in time is dropped. */
const KNOCK = `
const { execFileSync } = require('node:child_process');
const { connect, createServer } = require('node:net');
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const all = cases.flatMap(({ knocks }) => knocks);
const ip = (address) => execFileSync('ip', ['address', 'replace', address + '/32', 'dev', 'lo']);
for (const address of new Set(['${DOOR}', ...all.map(({ from }) => from)])) ip(address);
const listen = (port) => new Promise((done) => createServer((s) => s.destroy()).listen(port, '${DOOR}', done));
const knock = ({ from, port }) => new Promise((done) => {
  const socket = connect({ host: '${DOOR}', port, localAddress: from });
  const end = (isOpen) => { clearTimeout(timer); socket.destroy(); done(isOpen); };
  const timer = setTimeout(() => end(false), 700);
  socket.once('connect', () => end(true));
  socket.once('error', () => end(false));
});
(async () => {
  for (const port of new Set(all.map((one) => one.port))) await listen(port);
  const seen = [];
  for (const { nft, knocks } of cases) {
    execFileSync('nft', ['-f', '-'], { input: nft });
    seen.push(await Promise.all(knocks.map(knock)));
  }
  console.log(JSON.stringify(seen));
  process.exit(0);
})();
`;

/** Tells whether a namespace with a firewall can be made here. */
export function hasKernel(): boolean {
  return spawnSync('unshare', ['--net', 'nft', 'list', 'ruleset']).status === 0;
}

/** Tries connections under each group's rules, which a firewall of the kernel has: true where they open. */
export function knockAll(cases: readonly Case[]): boolean[][] {
  const input = cases.map(({ rules, knocks }) => ({ nft: ruleset(rules), knocks }));
  const script = `ip link set lo up; exec "${process.execPath}" -e "$KNOCK"`;
  const stdout = execFileSync('unshare', ['--net', 'sh', '-c', script], {
    input: JSON.stringify(input),
    env: { ...process.env, KNOCK },
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as boolean[][];
}

/** Rules of a lower priority first, and among equals those that drop. */
function ruleset(rules: readonly Json[]): string {
  const rank = ({ priority, policy }: Json) => Number(priority) * 2 + (policy === 'drop' ? 0 : 1);
  const lines = rules.toSorted((a, b) => rank(a) - rank(b)).flatMap(lineOf);
  return `
    table inet t
    delete table inet t
    table inet t {
      chain in {
        type filter hook input priority 0
        ip daddr != ${DOOR} accept
        ${lines.join('\n')}
        drop
      }
    }
  `;
}

function lineOf(rule: Json): string[] {
  const { protocol, port_start: first, port_end: last, policy } = rule;
  const cidr = text(rule.cidr_ip);
  if (cidr === '' || cidr.includes(':') || (protocol !== 'tcp' && protocol !== 'all')) return [];
  const ports = protocol === 'all' || first === -1 ? '' : `tcp dport ${first}-${last}`;
  return [`ip saddr ${cidr} ${ports} ${policy === 'drop' ? 'drop' : 'accept'}`];
}

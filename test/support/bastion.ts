import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The blocks of the page's part about runners outside the network, by their language. */
function blockOf(language: 'json' | 'yaml'): string {
  const [, part = ''] = readFileSync('docs/how-do-i.md', 'utf8').split(
    '## Check from a GitHub runner',
  );
  const block = new RegExp(`^   \`\`\`${language}\\n([\\s\\S]*?)^   \`\`\`$`, 'm');
  return block.exec(part)?.[1]?.replaceAll(/^ {3}/gm, '') ?? '';
}

/** The settings of the check that the page gives. */
export function bastionSettings(): { readonly check: { readonly runVia: readonly [string] } } {
  return JSON.parse(blockOf('json'));
}

/**
 * Runs the page's step of a workflow that makes the bastion reachable.
 *
 * @param folder in which a home is made for it
 * @param env what the page says to add to the environments of GitHub
 * @returns the configuration of ssh that it writes, and the words of the command that the page gives
 */
export function reachBastion(folder: string, env: Readonly<Record<string, string>>) {
  const [step] = parse(blockOf('yaml')) as [{ env: Record<string, string>; run: string }];
  const home = join(folder, 'home');
  mkdirSync(home);
  const given = Object.entries(step.env).map(([name, value]) => {
    const [, of = ''] = /^\$\{\{ (?:vars|secrets)\.(\w+) \}\}$/.exec(value) ?? [];
    return [name, env[of]];
  });
  execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    env: { PATH: process.env.PATH, HOME: home, ...Object.fromEntries(given) },
  });
  const [runVia] = bastionSettings().check.runVia;
  return { config: join(home, '.ssh', 'config'), runVia: runVia.split(' ') };
}

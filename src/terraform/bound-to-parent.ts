import { spawnSync } from 'node:child_process';

/**
 * Returns the words that start a program so that it gets a signal when this process dies, be it by a kill
 * that nothing can catch. Where the system has no way to do so, the words are the program's own.
 *
 * @param signal without its first three letters
 */
export function boundToParent(
  signal: 'INT' | 'TERM',
  program: string,
  args: readonly string[],
): readonly [program: string, args: string[]] {
  return canBind()
    ? ['setpriv', ['--pdeathsig', signal, '--', program, ...args]]
    : [program, [...args]];
}

let isAble: boolean | undefined;

/** Linux alone tells a process of its parent's death. */
export function canBind(): boolean {
  isAble ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'INT', 'true'], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    }).status === 0;
  return isAble;
}

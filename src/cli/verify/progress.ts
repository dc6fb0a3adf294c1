import type { Progress } from '../../verify/options.js';

/**
 * Tells on stderr what goes on: one live line on a terminal, and always a line for each new attempt,
 * which may be a long time in coming.
 */
export function progressPrinter(): { print: (progress: Progress) => void; clear: () => void } {
  const isLive = process.stderr.isTTY === true;
  const clear = () => {
    if (isLive) process.stderr.write('\r\u001b[K');
  };
  return {
    clear,
    print: (progress) => {
      if (progress.kind === 'retry') {
        const { link, attempt, code, nextInMs } = progress;
        const seconds = (nextInMs / 1000).toFixed(1);
        clear();
        process.stderr.write(
          `verify: ${link}: attempt ${attempt} failed with ${code}, next in ${seconds} s\n`,
        );
      } else if (isLive && progress.kind === 'stage') {
        process.stderr.write(`\r\u001b[K${progress.link}: ${progress.stage} …`);
      }
    },
  };
}

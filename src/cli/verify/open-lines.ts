import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { ConnectivityError } from '../../codes/connectivity-error.js';

/** Where lines go to, no faster than they are taken. */
export interface Lines {
  write(line: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * @param file standard output where it is not given
 * @throws ConnectivityError `usage.invalid` where it cannot be opened
 */
export async function openLines(file: string | undefined): Promise<Lines> {
  const stream = file === undefined ? process.stdout : createWriteStream(file);
  let failure: ConnectivityError | undefined;
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    failure = new ConnectivityError(
      'usage.invalid',
      `\`--format\` must name what can be written to, got: ${file ?? 'standard output'} (${cause.code})`,
      { cause },
    );
  });
  const settled = async (isDone: boolean, event: string) => {
    if (!isDone && failure === undefined) await once(stream, event).catch(() => undefined);
    if (failure !== undefined) throw failure;
  };
  await settled(file === undefined, 'open');
  return {
    write: (line) => settled(stream.write(line), 'drain'),
    end: async () => {
      if (file === undefined) return;
      stream.end();
      await settled(stream.writableFinished, 'finish');
    },
  };
}

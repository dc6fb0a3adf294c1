import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { EXIT } from '../../codes/codes.js';
import { usageError } from '../../codes/connectivity-error.js';
import { type Draft, isSpecial, openDraft } from '../../files/whole-file.js';
import { pipeWaitMs } from '../../verify/model/options.js';
import type { LinkRecord } from '../../verify/model/results.js';
import { openTargets } from '../../verify/run/many/targets.js';
import { verifyMany } from '../../verify/run/many/verify-many.js';
import { chosenFormats } from '../program/arguments.js';
import { lostOutput, unwritable } from '../program/named-files.js';
import { interruptible } from '../program/signals.js';
import { type CommandLine, finalExit, refuseOtherSources, runOptions } from './command-line.js';
import { progressPrinter } from './output/progress.js';

/** Checks the links of a file of targets and writes each result as soon as it is there. */
export async function verifyTargets(file: string, { flags, names }: CommandLine): Promise<number> {
  refuseOtherSources(flags);
  const formats = chosenFiles(flags.format);
  const { total, targets } = await openTargets(file, {
    allowPlainHttp: flags.allowPlainHttp ?? false,
    shard: flags.shard,
    pipeWaitMs: pipeWaitMs(flags.timeout),
  });
  const outputs = await Promise.all(formats.map(({ file: name }) => openLines(name)));
  const progress = progressPrinter(total ?? Number.POSITIVE_INFINITY);
  const onResult = async (record: LinkRecord) => {
    const line = `${JSON.stringify(record)}\n`;
    // A line on the same terminal must not begin behind the bar.
    if (process.stdout.isTTY) progress.clear();
    await Promise.all(outputs.map((output) => output.write(line)));
  };
  const options = { ...runOptions(flags, names), targets, onResult };
  const onProgress = progress.print;
  const tally = await untilWritten(outputs, () =>
    interruptible((signal) => verifyMany({ ...options, signal, onProgress })),
  ).finally(progress.clear);
  process.stderr.write(`verify: ${tally.summary(total)}`);
  const isPartial = total !== undefined && tally.checked < total;
  const exit = isPartial ? EXIT.interrupted : tally.exit({ strict: flags.strict ?? false });
  return finalExit(exit, flags);
}

/** Any other report needs all results at once, and this run keeps none. @throws ConnectivityError `usage.invalid` */
function chosenFiles(format: CommandLine['flags']['format'] = []) {
  const formats = chosenFormats(format, 'jsonl');
  const other = formats.find(({ name }) => name !== 'jsonl');
  if (other === undefined) return formats;
  throw usageError(
    `\`--format\` must be jsonl with \`--targets\`, got: ${other.name}; \`secure-connectivity verify --from\` converts the lines to other formats`,
  );
}

/** Ends the outputs with the work, or says where the lines of one that broke off are. */
async function untilWritten<T>(
  outputs: readonly Awaited<ReturnType<typeof openLines>>[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    await Promise.all(outputs.map((output) => output.end()));
    return result;
  } catch (error) {
    const files = outputs.flatMap((output) => output.abandon() ?? []);
    for (const left of files) {
      process.stderr.write(`verify: the results so far are in ${left}\n`);
    }
    throw error;
  }
}

/**
 * Opens where lines go to, no faster than they are taken.
 *
 * @param file standard output where it is not given
 * @throws ConnectivityError `usage.invalid` where it cannot be opened
 */
export async function openLines(file: string | undefined) {
  const draft = file === undefined || isSpecial(file) ? undefined : openLinesDraft(file);
  const stream = file === undefined ? process.stdout : await openStream(file, draft);
  let failure: NodeJS.ErrnoException | undefined;
  return {
    /** @throws ConnectivityError `output.lost` */
    write: (line: string): Promise<void> =>
      new Promise((resolve, reject) => {
        stream.write(line, (error) => {
          // What is written after it fails in other words.
          failure ??= error ?? undefined;
          if (!failure) resolve();
          else reject(lostOutput(file ?? 'standard output', failure.code ?? '', failure));
        });
      }),
    /** Only now a file has the new lines in place of the old ones. */
    end: async (): Promise<void> => {
      if (file === undefined) return;
      stream.end();
      if (!stream.writableFinished) await once(stream, 'finish');
      draft?.commit();
    },
    /** Leaves a file as it was. @returns where the lines are that were written nevertheless */
    abandon: (): string | undefined => {
      if ('bytesWritten' in stream && stream.bytesWritten > 0) return draft?.path;
      draft?.discard();
      return undefined;
    },
  };
}

/** @throws ConnectivityError `usage.invalid` where it cannot be opened */
async function openStream(file: string, draft: Draft | undefined) {
  const stream = createWriteStream(file, draft && { fd: draft.descriptor, autoClose: false });
  try {
    if (draft === undefined) await once(stream, 'open');
  } catch (cause) {
    throw unwritable('--format', file, cause);
  }
  // Whoever wrote the line that failed is told.
  return stream.on('error', () => undefined);
}

function openLinesDraft(file: string): Draft {
  try {
    return openDraft(file);
  } catch (cause) {
    throw unwritable('--format', file, cause);
  }
}

import { shellWord } from '../../files/escape.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import { settingName, type VerifiableLink } from '../../verify/model/options.js';
import { exitOf } from '../../verify/model/verdict.js';
import type { Verification } from '../../verify/model/verification.js';
import { isInShard } from '../../verify/run/many/shard.js';
import { chosenFormats } from '../program/arguments.js';
import { ownCommand } from '../program/own-command.js';
import { interruptible } from '../program/signals.js';
import { type CommandLine, finalExit, runOptions } from './command-line.js';
import { type FlagRow, inAnyFolder, type Words } from './flags/row.js';
import { FLAGS, type FlagName, type Flags } from './flags/table.js';
import { progressPrinter } from './output/progress.js';
import { writeReports } from './output/write-reports.js';
import { readLinks } from './read-links.js';

/** Checks the links of stacks, or one given by hand, and writes one report of them all. */
export async function verifyLinks({ flags, typed, settings, names }: CommandLine): Promise<number> {
  const formats = chosenFormats(flags.format ?? [], 'text');
  const read = await readLinks(flags);
  const { connections, plugins, stacks } = read;
  const links = read.links.filter((_, index) => isInShard(index, flags.shard));
  if (links.length + connections.length + plugins.length === 0) {
    process.stderr.write('verify: the shard is empty\n');
    return 0;
  }
  const options = runOptions(flags, names);
  const { verify } = await import('../../verify/run/verify.js');
  const vantagePoints = flags.runVia?.filter(({ expect }) => expect === undefined);
  const progress = progressPrinter(
    links.length * (vantagePoints?.length ?? 1),
    vantagePoints && `an answer from behind ${settingName(options, 'runVia')}`,
  );
  const verification = await interruptible(async (signal) => {
    const checked = await verify({
      ...options,
      links,
      connections,
      plugins,
      settings,
      signal,
      onProgress: progress.print,
    });
    // Nothing of the cloud's client is loaded where nothing can be asked, or everything is well.
    if (!hasCloudCredentials(process.env) || exitOf(checked) === 0) return checked;
    progress.clear();
    const { withCloudCauses } = await import('./cloud-causes.js');
    return await withCloudCauses(checked, { links, stacks }, signal);
  }).finally(progress.clear);
  await writeReports(verification, formats, flags.verbose);
  for (const link of failedLinks(verification, links)) {
    const command = repeatCommand(link, flags, typed);
    if (command === undefined) continue;
    process.stderr.write(`verify: to check ${link.name} again:\n  ${command}\n`);
  }
  return finalExit(exitOf(verification, { strict: flags.strict ?? false }), flags);
}

/** Finds the links that failed; from several vantage points, those of one follow those of the other. */
function failedLinks({ links: results }: Verification, links: readonly VerifiableLink[]) {
  return links.filter((_, index) =>
    results.some((one, at) => at % links.length === index && exitOf({ links: [one] }) !== 0),
  );
}

/** Tells whether the environment has credentials with which a stack's cloud is read. */
function hasCloudCredentials(env: NodeJS.ProcessEnv): boolean {
  const { VOLCENGINE_ACCESS_KEY, VOLCENGINE_SECRET_KEY, VOLCENGINE_PROFILE } = env;
  return Boolean((VOLCENGINE_ACCESS_KEY && VOLCENGINE_SECRET_KEY) || VOLCENGINE_PROFILE);
}

/**
 * The command that checks one link again, by hand and from any folder. It holds no secret.
 *
 * @param flags all of them
 * @param typed those of the command line
 * @returns as {@link ownCommand}
 */
export function repeatCommand(
  link: VerifiableLink,
  flags: Flags,
  typed: Flags,
): string | undefined {
  // The shipped list need not be typed: it is what is expected where no flag says anything else.
  const isShipped = link.expectedAddresses.join() === FIXED_CIDRS.join();
  const repeated = isShipped ? { ...link, expectedAddresses: [] } : link;
  const words = Object.entries<FlagRow>(FLAGS).flatMap(([key, row]) => {
    const { flag, option = '', repeat, file } = row;
    const name = key as FlagName;
    const isUnused = option.startsWith('credentials.') && !typed.auth;
    if (repeat === 'never' || isUnused) return [];
    const give = repeat as ((...values: readonly unknown[]) => Words) | undefined;
    const given = give === undefined ? typed[name] : give(typed[name], repeated, flags[name]);
    const [long = ''] = flag.split(' ');
    return [given].flat().flatMap((value) => {
      if (value === undefined || value === false) return [];
      return value === true ? [long] : [long, shellWord(inAnyFolder(String(value), file))];
    });
  });
  return ownCommand('verify', ...words);
}

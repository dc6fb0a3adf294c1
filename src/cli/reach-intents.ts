import { existsSync } from 'node:fs';
import { usageError } from '../codes/connectivity-error.js';
import { EXIT } from '../codes/exit-status.js';
import { nearestText } from '../codes/near-text.js';
import { type IntentGroup, readIntentGroups, readIntents } from '../intents/read-intents.js';
import { counted } from '../lists/counted.js';
import { makePicture } from '../picture/make-picture.js';
import { pictureFigure } from '../picture/page.js';
import { proposeIntents } from '../reach/intents/propose.js';
import { intentsDocument, intentsReport } from '../reach/intents/report.js';
import { type AskedStack, readReached } from '../reach/ways/doors.js';
import { DOCUMENT_WRITERS } from '../report/write.js';
import type { Format } from './program/arguments.js';
import { writeOutput } from './program/named-files.js';
import { terminalOf } from './program/output.js';
import type { Flags as ReachFlags } from './reach-flags.js';

type Flags = Pick<ReachFlags, 'tree' | 'state' | 'plan' | 'live'> &
  Required<Pick<ReachFlags, 'intents'>>;

const WRITERS: Readonly<Record<string, (typeof DOCUMENT_WRITERS)['text']>> = DOCUMENT_WRITERS;

/** Writes the table of all intents; answers 4 where one is broken. @throws ConnectivityError */
export async function tableOfIntents(
  flags: Flags,
  stacks: readonly AskedStack[],
  formats: readonly Format<string>[],
): Promise<number> {
  const now = new Date().toISOString();
  const { tree = 'cdktf.out', state, plan, live } = flags;
  const source = live ? 'the cloud' : (state ?? plan ?? `the tree ${tree}`);
  const groups = findGroups(flags, stacks);
  const report = intentsReport(groups, stacks, source, now);
  const { rows } = report;
  // Beside a tree stands what its settings say for every environment that they have.
  const isGiven = flags.intents !== true && rows.length > 0;
  if (isGiven && rows.every(({ proof }) => proof === undefined)) throw noneApplies(groups);
  const figure = pictureFigure(() => makePicture({ stacks: stacks.map(readReached) }));
  for (const { name, file } of formats) {
    const write = WRITERS[name];
    if (write === undefined) {
      const known = Object.keys(WRITERS).join(', ');
      throw usageError(`\`--format\` must be one of ${known} with \`--intents\`, got: ${name}`);
    }
    const written = await write({
      document: async () => intentsDocument(report, name === 'html' ? [figure] : []),
      text: terminalOf(file),
      data: report,
    });
    writeOutput('--format', file, written);
  }
  return rows.some(({ proof }) => proof?.result === 'broken') ? EXIT.forbidden : 0;
}

/** Builds the error of intents none of which is for an environment that the stacks have. */
function noneApplies(groups: readonly IntentGroup[]): Error {
  const environments = groups.map(({ intents }) => intents.environment ?? 'no environment');
  const own = [...new Set(environments)].join(', ');
  const named = groups.flatMap(({ intents }) =>
    intents.intents.flatMap((intent) => intent.environments ?? []),
  );
  const only = [...new Set(named)];
  const [here = ''] = environments;
  return usageError(
    `\`--intents\` must have an intent that applies to ${own}, got: intents for ${only.join(', ')} only${nearestText(here, only)}`,
  );
}

function findGroups(
  { intents, tree = 'cdktf.out' }: Flags,
  stacks: readonly AskedStack[],
): IntentGroup[] {
  const names = stacks.map(({ name }) => name);
  const beside = existsSync(tree) ? readIntentGroups(tree, names) : [];
  if (intents === true) {
    if (beside.length > 0) return beside;
    throw usageError(
      `\`--intents\` needs a file, or a tree that has intents beside its stacks, got: none in ${tree}`,
    );
  }
  // The environment is that of the tree, whatever file is asked about.
  const [environment] = beside.flatMap((group) => group.intents.environment ?? []);
  const given = readIntents(intents, '--intents');
  return [
    { intents: { ...given, ...(environment !== undefined && { environment }) }, stacks: names },
  ];
}

/** Writes a first file, and never over another. @throws ConnectivityError `usage.invalid` */
export function proposeFile(file: string, stacks: readonly AskedStack[]): number {
  if (existsSync(file)) {
    throw usageError(`\`--write-intents\` must name a new file, got: ${file}, which is there`);
  }
  const proposed = proposeIntents(stacks);
  if (proposed.intents.length === 0) {
    throw usageError('`--write-intents` needs stacks that open something by name, got: none');
  }
  writeOutput('--write-intents', file, `${JSON.stringify(proposed, undefined, 2)}\n`);
  const count = counted(proposed.intents.length, 'intent');
  process.stdout.write(`${file}: ${count}, each of which holds\n`);
  return 0;
}

import { basename, resolve } from 'node:path';
import { readOwnState } from '../../adopt/own-state.js';
import { redactAll, safeText } from '../../codes/redact.js';
import { mapLimited } from '../../lists/map-limited.js';
import { DialExplainer } from '../../live/explain-dial.js';
import { readLiveStack } from '../../live/live-stack.js';
import { withStackCloud } from '../../live/stack-cloud.js';
import { object } from '../../reach/read/json.js';
import { readStack } from '../../reach/read/read-tree.js';
import { withTimeout } from '../../service/http/limits.js';
import { terraformName } from '../../terraform/program.js';
import { terraformFolder } from '../../terraform/terraform-folder.js';
import type { LinkResult, Verification } from '../../verify/model/verification.js';
import { MAX_READS } from '../program/arguments.js';
import { explainLink, isAsked } from './link-causes.js';
import type { ReadLinks } from './read-links.js';

/** Limit of the time that reading the cloud adds to a check. */
const LIMIT_MS = 20_000;

const STACKS_AT_ONCE = 4;

/**
 * Adds to a report what the cloud's configuration says of links that failed. Each stack's cloud is read
 * once; where it cannot be, a line says so and the report stays as it is.
 */
export async function withCloudCauses(
  verification: Verification,
  { links, stacks }: Pick<ReadLinks, 'links' | 'stacks'>,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<Verification> {
  const nameAt = (at: number) => links[at % links.length]?.name ?? '';
  const failed = new Set(
    verification.links.flatMap((result, at) => (isAsked(result) ? nameAt(at) : [])),
  );
  const asked = stacks.filter((stack) => stack.links.some((name) => failed.has(name)));
  if (asked.length === 0 || signal.aborted) return verification;
  const ends = performance.now() + limitMs;
  const clouds = (
    await mapLimited(asked, STACKS_AT_ONCE, async (stack) => {
      const cloud = await readCloud(stack.folder, ends - performance.now(), signal);
      return cloud === undefined ? [] : [{ ...stack, cloud }];
    })
  ).flat();
  const explained = verification.links.map(async (result, at): Promise<LinkResult> => {
    const link = links[at % links.length];
    const own = clouds.find((stack) => stack.links.includes(nameAt(at)));
    if (link === undefined || own === undefined || !isAsked(result)) return result;
    return await explainLink(result, link, own.cloud, verification);
  });
  return redactAll({ ...verification, links: await Promise.all(explained) });
}

/** Reads the cloud of a stack; undefined, and a line says why, where that fails or takes too long. */
async function readCloud(
  folder: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<DialExplainer | undefined> {
  const place = resolve(folder);
  const name = basename(place);
  try {
    const live = await withTimeout(Math.max(1, limitMs), signal, async () => {
      const stack = readStack(place, name, 'the folder of the stack', place);
      const terraform = terraformFolder(place, terraformName(process.env), '0s');
      const state = object(await readOwnState(terraform));
      return await withStackCloud(stack.terraform, `the cloud of ${name}`, (cloud) =>
        readLiveStack(cloud, stack, state, MAX_READS),
      );
    });
    return new DialExplainer(live);
  } catch (error) {
    const why = safeText(error instanceof Error ? error.message : String(error));
    process.stderr.write(`verify: the cloud’s configuration of ${name} was not read: ${why}\n`);
    return undefined;
  }
}

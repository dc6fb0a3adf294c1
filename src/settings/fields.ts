import * as z from 'zod';
import { idPattern, ZONE, ZONE_RULE } from '../cloud/table/names.js';
import { parsedBy } from '../codes/issue-text.js';
import { parseCidr } from '../net/cidr.js';
import { DURATION, DURATION_RULE, parseDuration } from '../net/duration.js';
import { DOMAIN_NAME, DOMAIN_NAME_RULE } from '../net/host-name.js';
import { mostOfInternet } from '../net/most-of-internet.js';
import { fitsName, MAX_WAIT_SECONDS, NAME, NAME_RULE } from './defaults.js';

/** A CIDR, written canonically. */
export const cidr = z.string().superRefine(parsedBy(parseCidr));

/** Networks that may together not be most of the internet. */
export const networks = z.array(cidr).min(1).superRefine(refuseInternet);

/** The same, where each may have a reason of its own. */
export const reasonedNetworks = z
  .array(
    z.union([
      cidr,
      z.strictObject({
        cidr: cidr.describe('the network that may call'),
        reason: z.string().min(1).max(200).describe('why it may, as reviews show it'),
      }),
    ]),
  )
  .min(1)
  .superRefine((all, context) =>
    refuseInternet(
      all.map((one) => (typeof one === 'string' ? one : one.cidr)),
      context,
    ),
  );

function refuseInternet(texts: readonly string[], context: z.RefinementCtx): void {
  const known = texts.filter((text) => cidr.safeParse(text).success);
  const opening = mostOfInternet(known.map(parseCidr));
  if (opening === undefined) return;
  const message = opening.isAll
    ? 'must not be every address'
    : `must not be most of the internet, and is ${opening.share}`;
  context.addIssue({ code: 'custom', message: `${message}; name your networks` });
}

/** A host name: no scheme, no port, no path. */
export const host = z.string().regex(DOMAIN_NAME, DOMAIN_NAME_RULE);

/** First part of the names of what is made. */
export const name = z
  .string()
  .regex(NAME, { error: NAME_RULE, abort: true })
  .refine(fitsName, NAME_RULE);

/** Text of at most so many bytes, which is what the provider counts. */
export function textOfBytes(most: number) {
  const rule = `must be at most ${most} bytes long, and a Chinese character has 3`;
  return z
    .string()
    .max(most, { error: rule, abort: true })
    .refine((text) => Buffer.byteLength(text) <= most, rule);
}

/** A zone of North China 2. */
export const zone = z.string().regex(ZONE, ZONE_RULE);

export const port = z.int().min(1).max(65535);

/** A day: `YYYY-MM-DD`. */
export const day = z.iso.date('must be a day as YYYY-MM-DD');

/** An id of the cloud's making, such as `vpc-1a2b`. */
export function idField(prefix: string) {
  return z.string().regex(idPattern(prefix), `must be an id such as ${prefix}-1a2b`);
}

/** A path below the project's folder: neither absolute nor out of it. */
export function pathInProject(rule: string) {
  return z
    .string()
    .regex(/^(?![/\\]|[A-Za-z]:)[^\n]{1,255}$/, rule)
    .refine((text) => !text.split(/[/\\]/).includes('..'), `${rule}, without \`..\``);
}

const RULE = `must be ${DURATION_RULE}`;

/** A span of time in seconds, written as a duration or as a number of seconds. */
export const duration = z
  .union([z.number().nonnegative(), z.string().regex(DURATION, RULE)], { error: RULE })
  .transform((value) => (typeof value === 'number' ? value : parseDuration(value) / 1000))
  .refine((amount) => amount <= MAX_WAIT_SECONDS, 'must be at most a day, 24h');

/** A deviation from what is safe by default. */
export const exception = z.strictObject({
  reason: z.string().min(1).describe('why it is needed'),
  owner: z.string().min(1).describe('who is accountable for it'),
  expires: day.describe('the last day on which it is valid'),
});

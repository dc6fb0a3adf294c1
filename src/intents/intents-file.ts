import * as z from 'zod/mini';
import { isDay } from '../net/duration.js';

/** Shown in reports, where a terminal may obey it. */
const text = z
  .string()
  .check(z.minLength(1), z.regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u, 'must be one line of text'));

const name = z
  .union(
    [
      text.check(z.describe('an address, a CIDR, or a name')),
      z.strictObject({ account: text }).check(z.describe('an account of the cloud')),
      z.strictObject({ endpoint: text }).check(z.describe('an endpoint, by its identifier')),
    ],
    { error: 'must be an address, a CIDR, a name, { "account": … } or { "endpoint": … }' },
  )
  .check(z.describe('one peer'));

const end = z.union(
  [
    name,
    z.array(name).check(z.minLength(1)),
    z
      .strictObject({ not: z.union([name, z.array(name).check(z.minLength(1))]) })
      .check(z.describe('everything but these')),
  ],
  {
    error:
      'must be an address, a CIDR, a name, { "account": … }, { "endpoint": … }, a list of them that is not empty, or { "not": … } around them',
  },
);

const port = z.union(
  [
    z.int().check(z.minimum(1), z.maximum(65_535)),
    z.string().check(z.refine(isSpan, 'must be ports such as "8000-8100"')),
  ],
  { error: 'must be a port from 1 to 65535, ports such as "8000-8100", or a list of them' },
);

function isSpan(span: string): boolean {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(span) ?? [];
  return Number(first) >= 1 && Number(first) <= Number(last) && Number(last) <= 65_535;
}

const day = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD'), z.refine(isDay, 'must be a day'));

const intent = z
  .strictObject({
    name: text.check(z.describe('the sentence; names the intent in reports')),
    from: end.check(z.describe('the callers')),
    to: end.check(z.describe('the called side')),
    port: z.optional(
      z
        .union([port, z.array(port).check(z.minLength(1))])
        .check(z.describe('ports of the called side; default: all of the protocol')),
    ),
    protocol: z.optional(
      z
        .enum(['tcp', 'udp', 'icmp', 'any'])
        .check(z.describe('default: tcp with a port, else every protocol')),
    ),
    expect: z
      .enum(['reachable', 'closed'])
      .check(z.describe('reachable: all of it; closed: none of it')),
    environments: z.optional(
      z.array(text).check(z.minLength(1), z.describe('where it applies; default: everywhere')),
    ),
    exception: z.optional(
      z
        .strictObject({ reason: text, owner: text, expires: day })
        .check(z.describe('a deploy goes on though it is broken, until the last day')),
    ),
  })
  .check(
    z.refine(
      ({ port: given, protocol }) =>
        given === undefined || (protocol !== 'icmp' && protocol !== 'any'),
      { path: ['port'], error: 'must be given only with tcp or udp' },
    ),
  );

const list = z.array(intent).check(
  z.minLength(1),
  z.refine(
    (all) => new Set(all.map((one) => one.name)).size === all.length,
    'must have intents of different names',
  ),
);

/** The content of a file of intents; the same as objects of TypeScript. */
export const intentsSchema = z.strictObject({
  $schema: z.optional(z.string().check(z.describe('for editors'))),
  names: z.optional(
    z
      .record(text, z.array(name).check(z.minLength(1)))
      .check(
        z.describe('names of your own, and what `service` means in place of what stacks state'),
      ),
  ),
  workloads: z.optional(
    z.array(text).check(z.minLength(1), z.describe('networks of the workloads, as callers')),
  ),
  intents: list.check(z.describe('sentences on who may reach whom')),
});

/** The copy that a stack has beside its Terraform JSON. */
export const treeIntentsSchema = z.strictObject({
  ...intentsSchema.shape,
  environment: z.optional(text),
});

export type Name = z.infer<typeof name>;
export type End = z.infer<typeof end>;
export type Intent = Readonly<z.infer<typeof intent>>;
export type Intents = Readonly<z.infer<typeof intentsSchema>>;
/** Intents with the environment in which they are to hold; undefined: only those for every one. */
export type TreeIntents = Readonly<z.infer<typeof treeIntentsSchema>>;

/** The names of an end, and whether all others are meant. */
export function namesIn(end: End): { readonly names: readonly Name[]; readonly isNot: boolean } {
  if (typeof end === 'object' && 'not' in end) return { names: [end.not].flat(), isNot: true };
  return { names: [end].flat(), isNot: false };
}

/** Tells whether an intent applies where it is to be judged. */
export function applies({ environments }: Intent, environment: string | undefined): boolean {
  return environments === undefined || environments.includes(environment ?? '');
}

/** An end for people: `everybody but 10.30.0.0/16`. */
export function endText(end: End): string {
  const { names, isNot } = namesIn(end);
  const all = names.map((name) =>
    typeof name === 'string' ? name : Object.entries(name).flat().join(' '),
  );
  return `${isNot ? 'everybody but ' : ''}${all.join(', ')}`;
}

/** The services of an intent for people: `tcp 443`; empty for all. */
export function serviceText({ port, protocol }: Intent): string {
  if (port === undefined) return protocol ?? '';
  return `${protocol ?? 'tcp'} ${[port].flat().join(', ')}`;
}

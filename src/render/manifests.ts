import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import * as z from 'zod';
import type { AccessModel } from '../access/access-model.js';
import { DIGEST_ANNOTATION, readMetadata } from './manifest.js';
import { cidrOpenings, type Opening, openingsOf } from './opening.js';
import { modelOf, readable } from './parse-sections.js';
import { readPolicyPorts } from './policy-ports.js';
import { unreadable } from './same-lines.js';

const ports = z.object({
  protocol: z.enum(['TCP', 'UDP']),
  port: z.union([z.number(), z.string()]).optional(),
  endPort: z.number().optional(),
});
const peer = z.looseObject({ ipBlock: z.object({ cidr: z.string() }).optional() });
const cidrs = z.array(z.object({ cidr: z.string() })).optional();
const rule = z.looseObject({
  to: z.array(peer).optional(),
  from: z.array(peer).optional(),
  ports: z.array(ports).optional(),
  toCIDRSet: cidrs,
  fromCIDRSet: cidrs,
  toPorts: z.array(z.looseObject({ ports: z.array(ports) })).optional(),
});

/** No more than what addresses and ports are read from; all else is compared with a new rendering. */
const policy = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.string()) }),
  spec: z.looseObject({ egress: z.array(rule).optional(), ingress: z.array(rule).optional() }),
});

export type Policy = z.infer<typeof policy>;

/** What each rule of a policy says, whatever the kind of policy. */
export type Selector = (policy: Policy) => readonly {
  readonly direction: Opening['direction'];
  readonly ports: z.infer<typeof ports> | undefined;
  readonly cidrs: readonly string[];
}[];

interface Manifests {
  readonly target: string;
  readonly render: (model: AccessModel) => string;
  readonly selectors: Selector;
}

export function writeManifests(manifests: readonly object[]): string {
  return manifests
    .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
    .join('---\n');
}

/** Reads policies; form, comments and the order of keys are free, the content is not. */
export function parseManifests(text: string, { target, render, selectors }: Manifests): Opening[] {
  return readable(target, () => {
    const documents = readDocuments(target, text);
    const policies = documents.map((document) => policy.parse(document));
    const stack = readMetadata(policies[0]?.metadata.annotations ?? {}).stack;
    const model = modelOf(
      stack,
      policies.flatMap((each) => openingsIn(each, selectors)),
    );
    const written = readDocuments(target, render(model));
    for (const [index, document] of written.entries()) {
      if (isDeepStrictEqual(withoutDigest(documents[index]), withoutDigest(document))) continue;
      throw unreadable(
        target,
        undefined,
        JSON.stringify(documents[index]),
        JSON.stringify(document),
      );
    }
    if (documents.length !== written.length) {
      throw unreadable(target, undefined, `${documents.length} documents`);
    }
    return openingsOf(cidrOpenings(model, target));
  });
}

function openingsIn(each: Policy, selectors: Selector): Opening[] {
  const { subject } = readMetadata(each.metadata.annotations);
  return selectors(each).flatMap((rule) =>
    rule.cidrs.map((cidr) => ({
      subject,
      direction: rule.direction,
      ...readPolicyPorts(rule.ports),
      peer: { kind: 'cidr' as const, cidr },
    })),
  );
}

function readDocuments(target: string, text: string): unknown[] {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) throw unreadable(target, undefined, 'no document');
  return documents.map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw unreadable(target, problem.linePos?.[0].line, problem.code);
    return document.toJS({ maxAliasCount: 0 });
  });
}

/** The digest tells what the file was made from and decides nothing. */
function withoutDigest(document: unknown): unknown {
  const text = JSON.stringify(document, (key, value) =>
    key === DIGEST_ANNOTATION ? undefined : value,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

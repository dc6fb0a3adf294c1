import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import * as z from 'zod';
import type { AccessModel } from '../access/access-model.js';
import {
  ALL_PORTS,
  DIRECTIONS,
  isAllPorts,
  type Opening,
  serviceText,
  type Target,
  toOpening,
  unsupported,
} from './model.js';
import { readable, slug, toModel, unreadable } from './sections.js';

/** Ports as NetworkPolicy and Cilium write them, the number as text in the latter. */
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

type Policy = z.infer<typeof policy>;

/** The ports and addresses of one rule, whatever the kind of policy. */
export type PolicyReader = (
  each: z.infer<typeof rule>,
  direction: Opening['direction'],
) => { readonly ports: z.infer<typeof ports> | undefined; readonly cidrs: readonly string[] };

export function writeManifests(manifests: readonly object[]): string {
  return manifests
    .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
    .join('---\n');
}

/** A target of policies; form, comments and the order of keys are free, the content is not. */
export function manifestsTarget(
  name: string,
  manifests: (model: AccessModel) => readonly object[],
  read: PolicyReader,
): Target {
  const parse = (text: string) =>
    readable(name, () => {
      const documents = readDocuments(name, text);
      const model = readModel(documents, read);
      requireSameDocuments(name, documents, manifests(model));
      return model.rules.map(toOpening);
    });
  return { name, render: (model) => writeManifests(manifests(model)), parse };
}

function readModel(documents: readonly unknown[], read: PolicyReader): AccessModel {
  const policies = documents.map((document) => policy.parse(document));
  const { stack } = readMetadata(policies[0]?.metadata.annotations ?? {});
  return toModel(
    stack,
    policies.flatMap((each) => readOpenings(each, read)),
  );
}

function requireSameDocuments(
  target: string,
  documents: readonly unknown[],
  expected: readonly object[],
): void {
  // Whatever is rendered was read from a document: there are never fewer of them.
  for (const [index, document] of documents.entries()) {
    const want = expected[index];
    if (isDeepStrictEqual(withoutDigest(document), withoutDigest(want))) continue;
    const rendered = want === undefined ? undefined : JSON.stringify(want);
    throw unreadable(target, undefined, JSON.stringify(document), rendered);
  }
}

function readOpenings({ metadata, spec }: Policy, read: PolicyReader): Opening[] {
  const { subject } = readMetadata(metadata.annotations);
  return DIRECTIONS.flatMap((direction) =>
    (spec[direction] ?? []).flatMap((each) => {
      const { ports, cidrs } = read(each, direction);
      const service = { subject, direction, ...readPolicyPorts(ports) };
      return cidrs.map((cidr) => ({ ...service, peer: { kind: 'cidr' as const, cidr } }));
    }),
  );
}

function readDocuments(target: string, text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw unreadable(target, problem.linePos?.[0].line, problem.code);
    return document.toJS({ maxAliasCount: 0 });
  });
}

/** The digest tells what the file was made from and decides nothing. */
function withoutDigest(document: unknown): unknown {
  return JSON.parse(
    JSON.stringify(document ?? null, (key, value) => (key === DIGEST ? undefined : value)),
  );
}

const PREFIX = 'secure-connectivity';
const STACK = `${PREFIX}/stack`;
const SUBJECT = `${PREFIX}/subject`;
const DIGEST = `${PREFIX}/access-digest`;

/** Metadata of a policy; annotations keep what names cannot. */
export function manifestMetadata({ stack, digest }: AccessModel, subject: string) {
  return {
    name: `${slug(stack)}.${slug(subject)}`,
    annotations: { [STACK]: stack, [SUBJECT]: subject, [DIGEST]: digest },
  };
}

/** The label that pods carry to come under the policy of a subject. */
export function podLabels(subject: string): Record<string, string> {
  return { [SUBJECT]: slug(subject) };
}

/** Stack and subject of a policy that {@link manifestMetadata} named. */
function readMetadata(annotations: Readonly<Record<string, string>>) {
  return { stack: annotations[STACK] ?? '', subject: annotations[SUBJECT] ?? '' };
}

/**
 * @returns undefined where every protocol and port is meant
 * @throws ConnectivityError `render.unsupported` for icmp and for ranges that begin at port 0
 */
export function policyPorts(
  target: string,
  service: Pick<Opening, 'protocol' | 'ports' | 'direction'>,
): { protocol: 'TCP' | 'UDP'; port?: number; endPort?: number } | undefined {
  const { protocol, ports } = service;
  if (protocol === 'any') return undefined;
  const isSayable = protocol !== 'icmp' && (ports.first > 0 || isAllPorts(ports));
  if (!isSayable) {
    throw unsupported(
      target,
      `cannot say every icmp message nor port 0, got: ${serviceText(service)} ${ports.first}-${ports.last}`,
    );
  }
  const name = protocol === 'tcp' ? 'TCP' : 'UDP';
  if (isAllPorts(ports)) return { protocol: name };
  const { first, last } = ports;
  return { protocol: name, port: first, ...(last !== first && { endPort: last }) };
}

/** The reverse of {@link policyPorts}. */
function readPolicyPorts(
  written: z.infer<typeof ports> | undefined,
): Pick<Opening, 'protocol' | 'ports'> {
  if (written === undefined) return { protocol: 'any', ports: ALL_PORTS };
  const protocol = written.protocol === 'TCP' ? 'tcp' : 'udp';
  const first = Number(written.port ?? 0);
  if (first === 0) return { protocol, ports: ALL_PORTS };
  return { protocol, ports: { first, last: written.endPort ?? first } };
}

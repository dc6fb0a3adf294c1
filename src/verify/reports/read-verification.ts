import type * as z from 'zod/mini';
import { type ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { redactAll } from '../../codes/redact.js';
import { parseJson } from '../../service/json.js';
import { backendRecordSchema, connectionRecordSchema, linkRecordSchema } from '../model/results.js';
import { commonDigest, worstVerdict } from '../model/verdict.js';
import {
  type BackendResult,
  type ConnectionResult,
  type LinkResult,
  VERIFICATION_SCHEMA,
  type Verification,
  verificationSchema,
} from '../model/verification.js';

interface Source {
  /** Named in errors. */
  readonly source: string;
  /** A JSON report, or JSON lines. */
  readonly text: string;
}

/** Results with the time that they span, in milliseconds since the epoch. */
interface Part {
  readonly links: readonly LinkResult[];
  readonly connections: readonly ConnectionResult[];
  readonly backends: readonly BackendResult[];
  readonly from: number;
  readonly to: number;
}

/**
 * Combines many reports into one. The last line of a run that was cut off may be incomplete; it is
 * ignored.
 *
 * @param onTorn called with each source that ends in a torn line
 * @throws ConnectivityError `usage.invalid`
 */
export function readVerification(
  sources: readonly Source[],
  onTorn?: (source: string) => void,
): Verification {
  const [first, ...others] = sources;
  if (first !== undefined && others.length === 0) {
    const whole = verificationSchema.safeParse(parseJson(first.text));
    if (whole.success) return redactAll(whole.data);
  }
  const parts = sources.flatMap(({ source, text }) => {
    const whole = wholeLines(text);
    if (whole !== text) onTorn?.(source);
    return readParts(source, whole);
  });
  const links = parts.flatMap((part) => part.links);
  const connections = parts.flatMap((part) => part.connections);
  const backends = parts.flatMap((part) => part.backends);
  if (links.length + connections.length + backends.length === 0) {
    throw usageError(
      `\`files\` must hold at least one result, got: ${sources.map(({ source }) => source).join(', ')} without one`,
    );
  }
  const from = least(parts.map((part) => part.from));
  const skewMs = largestSkew(links);
  return redactAll({
    schema: VERIFICATION_SCHEMA,
    verdict: worstVerdict(links.map(({ verdict }) => verdict)),
    startedAt: new Date(from).toISOString(),
    elapsedMs: -least(parts.map((part) => -part.to)) - from,
    ...commonDigest(links),
    ...(skewMs !== undefined && { skewMs }),
    settings: [],
    links,
    ...(connections.length > 0 && { connections }),
    ...(backends.length > 0 && { backends }),
  });
}

function readParts(source: string, text: string): Part[] {
  const json = parseJson(text);
  if (readSchema(json) === VERIFICATION_SCHEMA) {
    const whole = verificationSchema.safeParse(json, { reportInput: true });
    if (!whole.success) throw refusal(`${source} must be a report`, 'json', whole.error, json);
    const { startedAt, elapsedMs, ...results } = whole.data;
    return [part(startedAt, elapsedMs, results)];
  }
  // One value over several lines is no JSON line anywhere: its first problem is that of its fields.
  const lines = json === undefined ? text.split('\n') : [text];
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const json = parseJson(line);
    const deployed = connectionRecordSchema.safeParse(json);
    if (deployed.success) {
      const { schema: _, startedAt, ...connection } = deployed.data;
      return [part(startedAt, 0, { connections: [connection] })];
    }
    const seen = backendRecordSchema.safeParse(json);
    if (seen.success) {
      const { schema: _, startedAt, ...backend } = seen.data;
      return [part(startedAt, backend.elapsedMs, { backends: [backend] })];
    }
    const record = linkRecordSchema.safeParse(json, { reportInput: true });
    if (record.success) {
      const { schema: _, startedAt, ...link } = record.data;
      return [part(startedAt, link.elapsedMs, { links: [link] })];
    }
    throw refusal(`${source} line ${index + 1} must be a result`, 'jsonl', record.error, json);
  });
}

/** A line that a crash has torn has no line feed. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  const isTorn =
    end > 0 && parseJson(text.slice(end)) === undefined && text.slice(end).trim() !== '';
  return isTorn && parseJson(text.slice(0, text.indexOf('\n'))) !== undefined
    ? text.slice(0, end)
    : text;
}

function readSchema(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'schema' in json ? json.schema : undefined;
}

function refusal(
  what: string,
  format: string,
  { issues: [issue] }: { readonly issues: readonly z.core.$ZodIssue[] },
  json: unknown,
): ConnectivityError {
  const why =
    json === undefined || issue === undefined ? 'text that is not JSON' : issueText(issue);
  return usageError(`${what} that \`verify --format ${format}\` wrote, got: ${why}`);
}

function part(
  startedAt: string,
  elapsedMs: number,
  { links = [], connections = [], backends = [] }: Partial<Verification>,
): Part {
  const from = Date.parse(startedAt);
  return { links, connections, backends, from, to: from + elapsedMs };
}

/** Of any number of values; spreading them into a call has a limit. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function largestSkew(links: readonly LinkResult[]): number | undefined {
  return links
    .flatMap(({ stages }) => stages)
    .flatMap(({ stage, evidence: { skewMs } }) =>
      stage === 'http' && typeof skewMs === 'number' ? [skewMs] : [],
    )
    .toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
}

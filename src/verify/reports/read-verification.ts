import type * as z from 'zod/mini';
import { type ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { redactAll } from '../../codes/redact.js';
import { asObject, parseJson } from '../../files/json.js';
import {
  type BackendRecord,
  backendRecordSchema,
  type ClosedRecord,
  type ConnectionRecord,
  closedRecordSchema,
  connectionRecordSchema,
  type LinkRecord,
  linkRecordSchema,
} from '../model/results.js';
import { heldAgainstStages, wasStrict } from '../model/saved-exit.js';
import { makeVerification } from '../model/verdict.js';
import { type Finding, type Verification, verificationSchema } from '../model/verification.js';
import {
  BACKEND_RECORD_SCHEMA,
  CLOSED_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  LINK_RECORD_SCHEMA,
  VERIFICATION_SCHEMA,
} from '../model/verification-names.js';

interface Source {
  /** Named in errors. */
  readonly source: string;
  /** A JSON report, or JSON lines. */
  readonly text: string;
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
  // Some programs begin a file with a byte order mark.
  const given = sources.map((one) => ({ ...one, text: one.text.replace(/^\uFEFF/, '') }));
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) {
    const whole = verificationSchema.safeParse(parseJson(first.text));
    if (whole.success) return redactAll(heldAgainstStages(whole.data));
  }
  const parts = given.flatMap(({ source, text }) => {
    const whole = wholeLines(text);
    if (whole !== text) onTorn?.(source);
    return readParts(source, whole);
  });
  const links = parts.flatMap((part) => part.links);
  const connections = parts.flatMap((part) => part.connections);
  const backends = parts.flatMap((part) => part.backends);
  const expectedClosed = parts.flatMap((part) => part.expectedClosed);
  if (links.length + connections.length + backends.length === 0) {
    throw usageError(
      `\`files\` must hold at least one result, got: ${sources.map(({ source }) => source).join(', ')} without one`,
    );
  }
  const from = least(parts.map((part) => part.from));
  const whole = makeVerification({
    startedAt: new Date(from).toISOString(),
    elapsedMs: -least(parts.map((part) => -part.to)) - from,
    skewsMs: links.flatMap(({ stages }) => stages).flatMap(readSkew),
    // Results of a strict run are judged as strictly beside others.
    settings: parts.flatMap(({ settings }) => settings).slice(0, 1),
    links,
    connections,
    backends,
    ...(expectedClosed.length > 0 && { expectedClosed }),
  });
  return heldAgainstStages(whole);
}

function readParts(source: string, text: string): ReturnType<typeof part>[] {
  const json = parseJson(text);
  if (json === undefined && /^\{\s*\n/.test(text)) {
    throw usageError(
      `${source} must be a report that \`verify --format json\` wrote, got: text that is not JSON, or is nested too deeply; it may break off`,
    );
  }
  if (asObject(json)?.schema === VERIFICATION_SCHEMA) {
    const whole = verificationSchema.safeParse(json, { reportInput: true });
    if (!whole.success) throw refusal(`${source} must be a report`, 'json', whole.error, json);
    return [part(whole.data, whole.data)];
  }
  // One value over several lines is no JSON line anywhere: its first problem is that of its fields.
  const lines = json === undefined ? text.split('\n') : [text];
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const json = parseJson(line);
    const deployed = connectionRecordSchema.safeParse(json).data;
    if (deployed) return [part(deployed, { connections: [withoutHead(deployed)] })];
    const seen = backendRecordSchema.safeParse(json).data;
    if (seen) return [part(seen, { backends: [withoutHead(seen)] })];
    const tried = closedRecordSchema.safeParse(json).data;
    if (tried) return [part(tried, { expectedClosed: [withoutHead(tried)] })];
    const { data, error } = linkRecordSchema.safeParse(json, { reportInput: true });
    if (data) return [part(data, { links: [withoutHead(data)] })];
    throw refusal(`${source} line ${index + 1} must be a result`, 'jsonl', error, json);
  });
}

/** Schemas of a whole report, and of its lines. */
const SCHEMAS: readonly string[] = [
  VERIFICATION_SCHEMA,
  LINK_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  BACKEND_RECORD_SCHEMA,
  CLOSED_RECORD_SCHEMA,
];

/** A line that a crash has torn has no line feed. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  const isTorn =
    end > 0 && parseJson(text.slice(end)) === undefined && text.slice(end).trim() !== '';
  return isTorn && parseJson(text.slice(0, text.indexOf('\n'))) !== undefined
    ? text.slice(0, end)
    : text;
}

function refusal(
  what: string,
  format: string,
  { issues: [issue] }: { readonly issues: readonly z.core.$ZodIssue[] },
  json: unknown,
): ConnectivityError {
  const schema = asObject(json)?.schema;
  const isOurs = typeof schema === 'string' && /^secure-connectivity\/[\w-]+@\d+$/.test(schema);
  if (isOurs && !SCHEMAS.includes(schema)) {
    return usageError(
      `${what} with a \`schema\` that this version reads, ${SCHEMAS.join(', ')}, got: ${schema}; report it by the version that wrote it`,
    );
  }
  const why =
    json === undefined || issue === undefined
      ? 'text that is not JSON, or is nested too deeply'
      : issueText(issue);
  return usageError(`${what} that \`verify --format ${format}\` wrote, got: ${why}`);
}

/** Removes the fields of a line that describe its run and not the result. */
function withoutHead<T extends LinkRecord | ConnectionRecord | BackendRecord | ClosedRecord>(
  record: T,
) {
  const { schema: _, startedAt: __, ...result } = record;
  return result;
}

/** Results with the time that they span, in milliseconds since the epoch. */
function part(
  { startedAt, elapsedMs = 0 }: { readonly startedAt: string; readonly elapsedMs?: number },
  {
    links = [],
    connections = [],
    backends = [],
    expectedClosed = [],
    settings = [],
  }: Partial<Verification>,
) {
  const from = Date.parse(startedAt);
  const strict = settings.filter((one) => wasStrict({ settings: [one] }));
  return {
    links,
    connections,
    backends,
    expectedClosed,
    settings: strict,
    from,
    to: from + elapsedMs,
  };
}

/** Finds the least of any number of values; spreading them into a call has a limit. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function readSkew({ stage, evidence: { skewMs } }: Finding): number[] {
  return stage === 'http' && typeof skewMs === 'number' ? [skewMs] : [];
}

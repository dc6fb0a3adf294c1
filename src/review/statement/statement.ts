import * as z from 'zod';
import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { DECISIONS, type ReviewReport } from '../report-schema.js';
import { surfaceSchema, surfacesOf } from './surface.js';

const STATEMENT_SCHEMA = 'secure-connectivity/statement@1';

const surfaces = z.record(z.string(), surfaceSchema).describe('by the name of the stack');

/**
 * A reviewed change: both trees, the decision, and who approved. A review writes it, and the gate adds
 * fingerprint, approvals and change, and signs it.
 */
export const statementSchema = z.strictObject({
  schema: z.literal(STATEMENT_SCHEMA),
  decision: z.enum(DECISIONS),
  base: surfaces,
  head: surfaces,
  fingerprint: z.string().optional().describe('SHA-256 of the JSON report that was approved'),
  approvedBy: z.array(z.string()).optional().describe('accounts of the forge'),
  change: z.string().optional().describe('address of the change request'),
});

export type Statement = z.infer<typeof statementSchema>;

/** A statement of a reviewed change, as a deploy is given it. */
export interface GivenStatement {
  readonly file: string;
  readonly statement: Statement;
  /** SHA-256 of its text, hexadecimal. */
  readonly digest: string;
  /** The compact JWS; absent where it is unsigned. */
  readonly jws?: string;
}

/** Writes down what a review compared and decided, for `deploy --reviewed`. */
export function statementOf(
  { decision }: Pick<ReviewReport, 'decision'>,
  base: SynthesizedTree,
  head: SynthesizedTree,
): Statement {
  return {
    schema: STATEMENT_SCHEMA,
    decision,
    base: Object.fromEntries(surfacesOf(base)),
    head: Object.fromEntries(surfacesOf(head)),
  };
}

/** Tells whether a change with this statement may be merged: approved where it needs that, and never forbidden. */
export function isPassed({ decision, approvedBy = [] }: Statement): boolean {
  return decision === 'needs-approval' ? approvedBy.length > 0 : decision !== 'forbidden';
}

import type { Finding, StageName } from '../model/verification.js';
import type { LinkContext } from '../transport/link-context.js';

export interface StageResult {
  readonly findings: readonly Finding[];
  /** Whether the next stage has something to work on. */
  readonly goOn: boolean;
  /** What is found beside the stages that follow, and counts only where nothing fails. */
  readonly aside?: Promise<readonly Finding[]>;
}

/** One step of the check of a link. Stages run in order; what one saw, the next finds in the context. */
export interface Stage {
  readonly name: StageName;
  readonly run: (context: LinkContext) => Promise<StageResult>;
}

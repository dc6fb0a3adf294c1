import type { Finding, StageName } from '../model/verification.js';
import type { LinkContext } from '../transport/context.js';

/**
 * Runs one stage of the check of a link. Stages run in order; what one saw, the next finds in the
 * context. The next one has nothing to work on where every finding is failed or blocked.
 */
export interface StageRunner {
  readonly name: StageName;
  readonly run: (context: LinkContext) => Promise<readonly Finding[]>;
  /** What is found beside the stages that follow, and counts only where nothing fails. */
  readonly aside?: (context: LinkContext) => Promise<readonly Finding[]>;
}

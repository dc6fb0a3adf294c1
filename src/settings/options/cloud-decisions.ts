import * as z from 'zod';
import { ANSWERS, ASSUMED, ASSUMED_IDS, type AssumedId } from '../../reach/semantics.js';
import { day } from '../fields.js';

function answerTo(id: AssumedId) {
  const { question, open, closed } = ASSUMED[id];
  return z
    .strictObject({
      answer: z.enum(ANSWERS).describe(`open: ${open}; closed: ${closed}`),
      seen: day.describe('the day on which it was seen, as YYYY-MM-DD'),
      how: z
        .string()
        .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,500}$/u, 'must be one line of text')
        .describe('how it was seen, as reports print it'),
    })
    .optional()
    .describe(question);
}

/** The owner's answers to what is in doubt of the cloud. */
export const cloudDecisions = z.strictObject(
  Object.fromEntries(ASSUMED_IDS.map((id) => [id, answerTo(id)])) as Record<
    AssumedId,
    ReturnType<typeof answerTo>
  >,
);

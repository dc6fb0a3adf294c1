import * as z from 'zod';
import { day } from '../text.js';

/** A deviation from what is safe by default. */
export const exception = z.strictObject({
  reason: z.string().min(1).describe('why it is needed'),
  owner: z.string().min(1).describe('who is accountable for it'),
  expires: day.describe('the last day on which it is valid'),
});

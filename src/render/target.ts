import type { AccessModel } from '../access/access-model.js';
import type { ParsedOpening } from './opening.js';

/** One form in which access rules leave this package. */
export interface Target {
  readonly name: string;
  /** @throws ConnectivityError `render.unsupported` for a rule that the form cannot say exactly */
  readonly render: (model: AccessModel) => string;
  /**
   * Reads what {@link render} wrote, with other addresses perhaps, and nothing else: a text that it
   * would not write is refused, so that no change by hand is overlooked.
   *
   * @throws ConnectivityError `render.unreadable`
   */
  readonly parse?: (text: string) => readonly ParsedOpening[];
}

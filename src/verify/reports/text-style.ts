import type { Finding } from '../model/verification.js';

/** What parts of the text stand for, so that a terminal can colour them. */
export type TextStyle = (text: string, as: Finding['status'] | 'strong' | 'weak') => string;

/** How a text is laid out for whoever reads it. */
export interface TextLook {
  readonly style: TextStyle;
  /** Cells of a line. */
  readonly width: number;
  /** Everything that was seen, and each setting. */
  readonly isVerbose: boolean;
}

export const PLAIN_LOOK: TextLook = { style: (text) => text, width: 80, isVerbose: false };

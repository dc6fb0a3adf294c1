import type { Finding } from '../verification.js';

/** What parts of the text stand for, so that a terminal can colour them. */
export type TextStyle = (text: string, as: Finding['status'] | 'strong' | 'weak') => string;

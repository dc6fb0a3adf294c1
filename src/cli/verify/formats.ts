import type { Format as ReportFormat } from '../program/arguments.js';

export const FORMAT_NAMES = [
  'text',
  'json',
  'jsonl',
  'junit',
  'github',
  'markdown',
  'prometheus',
  'html',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export type Format = ReportFormat<FormatName>;

import { formatCollector } from '../program/report-formats.js';

const FORMAT_NAMES = ['text', 'markdown', 'json', 'html'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export const collectFormat = formatCollector(FORMAT_NAMES);

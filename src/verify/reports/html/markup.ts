import { escapeXml } from '../../../files/xml.js';
import type { Finding } from '../../model/verification.js';

/** Text that is markup already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

/** Markup with values put in: texts are escaped, markup and lists of it are taken as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((string, i) => string + rendered(parts[i])).join(''));
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(rendered).join('') : escapeXml(String(part));
}

const SIGNS: Record<Finding['status'], string> = {
  passed: '✓',
  warned: '!',
  failed: '✕',
  skipped: '–',
};

/** A status by shape and word as well as by colour. */
export function badge(status: Finding['status']): Markup {
  return html`<span class="badge ${status}" role="img" aria-label="${status}">${SIGNS[status]}</span>`;
}

/** Milliseconds as people read them: `0.4 ms`, `48 ms`, `10.3 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

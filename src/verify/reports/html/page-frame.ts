import { html, Markup } from './markup.js';
import { STYLE } from './style.js';

/** What is of one report alone. */
export interface HtmlPage {
  readonly title: string;
  /** Beyond the style that all reports share. @default - nothing */
  readonly style?: Markup;
  readonly body: Markup;
}

const NO_STYLE = new Markup('');

/** A whole page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlPage({ title, style = NO_STYLE, body }: HtmlPage): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return page.text;
}

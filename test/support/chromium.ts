import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser on this machine; undefined where there is none. */
export const CHROMIUM: string | undefined = CANDIDATES.find((file) => existsSync(file));

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
}

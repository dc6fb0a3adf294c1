import { fileURLToPath } from 'node:url';
import { exitOnMistake } from 'cdktf-secure-connectivity';
import { loadSettings } from 'cdktf-secure-connectivity/settings';
import { environmentApp } from './environment.ts';

const SETTINGS = fileURLToPath(new URL('settings', import.meta.url));

exitOnMistake(() => {
  environmentApp(loadSettings(process.env.CONNECTIVITY_SETTINGS ?? SETTINGS)).synth();
});

import { readFileSync, writeFileSync } from 'node:fs';
import { apiReference } from './api-reference.js';
import { cloudDecisionsReference } from './cloud-decisions-reference.js';
import { codesReference } from './codes-reference.js';
import { updatePicture } from './failing-check.js';
import { manifestText } from './manifest.js';
import { permissionsReference } from './permissions-reference.js';
import { providerReference } from './provider-reference.js';
import { settingsReference } from './settings-reference.js';

writeFileSync('docs/api.md', apiReference());
writeFileSync('docs/codes.md', codesReference());
writeFileSync('docs/permissions.md', permissionsReference());
writeFileSync('docs/settings.md', settingsReference());
writeLastPart('docs/reach.md', cloudDecisionsReference());
writeLastPart('docs/sandbox.md', providerReference());
writeFileSync('package.json', manifestText(readFileSync('package.json', 'utf8')));
await updatePicture();

/** Replaces the last part of a page, from its heading on. */
function writeLastPart(file: string, part: string): void {
  const [heading = ''] = part.split('\n');
  const [page = ''] = readFileSync(file, 'utf8').split(`\n${heading}\n`);
  writeFileSync(file, `${page.trimEnd()}\n\n${part}`);
}

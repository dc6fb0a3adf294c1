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
writeFileSync('docs/cloud-decisions.md', cloudDecisionsReference());
writeFileSync('docs/codes.md', codesReference());
writeFileSync('docs/permissions.md', permissionsReference());
writeFileSync('docs/provider.md', providerReference());
writeFileSync('docs/settings.md', settingsReference());
writeFileSync('package.json', manifestText(readFileSync('package.json', 'utf8')));
await updatePicture();

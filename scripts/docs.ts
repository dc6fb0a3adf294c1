import { writeFileSync } from 'node:fs';
import { codesReference } from './codes-reference.js';

writeFileSync('docs/codes.md', codesReference());

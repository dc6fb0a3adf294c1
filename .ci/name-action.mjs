// Arguments: OWNER/NAME of the repository, and the commit of the release. The templates that the package ships then
// call this repository's action at that commit, where before they name a stand-in.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [place = '', commit = ''] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(place) || !/^[0-9a-f]{40}$/.test(commit)) {
  process.stderr.write(`release: must get OWNER/NAME and a commit, got: ${place} ${commit}\n`);
  process.exit(1);
}
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const STAND_IN = /your-organization\/cdktf-secure-connectivity@0{40} # v\S+/g;
const HINT = /^ *# .*replace the zeros with its commit hash\.\n/gm;

const folder = 'shipped/ci-templates';
for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.yml')) continue;
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  const named = text.replace(HINT, '').replace(STAND_IN, `${place}@${commit} # v${version}`);
  if (named !== text) writeFileSync(file, named);
}

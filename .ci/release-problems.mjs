// Arguments: the tag, and OWNER/NAME of the repository. Names what a release lacks.
import { readFileSync } from 'node:fs';

const [tag = '', place = ''] = process.argv.slice(2);
const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const url = typeof repository === 'string' ? repository : repository?.url;
const changelog = readFileSync('CHANGELOG.md', 'utf8');

const problems = [
  ...(tag === `v${version}` ? [] : [`the tag must be v${version}, got: ${tag}`]),
  ...(changelog.split('\n').includes(`## ${version}`)
    ? []
    : [`CHANGELOG.md must have a section ## ${version}`]),
  // npm refuses the provenance of a package that names another repository, or none.
  ...(url?.replace(/\.git$/, '').endsWith(`github.com/${place}`)
    ? []
    : [`\`repository\` of package.json must be git+https://github.com/${place}.git, got: ${url}`]),
];
for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

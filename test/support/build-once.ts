import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = 'dist/cli/main.js';

/** Tests run the built program: it is built anew where a source is newer. */
export default function setup(): void {
  if (existsSync(BUILT) && newest('src') <= statSync(BUILT).mtimeMs) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}

function newest(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

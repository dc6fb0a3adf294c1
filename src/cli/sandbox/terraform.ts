import { fileURLToPath } from 'node:url';
import { isolateRun } from '../../sandbox/terraform/isolate-run.js';
import { quote } from '../../sandbox/terraform/prepare-terraform.js';
import { reportError } from '../program/output.js';

// What a sandbox's `terraform` asks how to run the real one: prints a command for the shell.

const [terraformFolder = '', program = '', ...given] = process.argv.slice(2);
try {
  const own = [process.execPath, fileURLToPath(new URL('main.js', import.meta.url))];
  const { folder, args } = isolateRun(process.cwd(), given, terraformFolder, own, process.env);
  process.stdout.write(
    `unset TF_DATA_DIR; cd ${quote(folder)} && exec ${[program, ...args].map(quote).join(' ')}`,
  );
} catch (error) {
  process.exitCode = await reportError(error);
}

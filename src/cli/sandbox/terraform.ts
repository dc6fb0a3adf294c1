import { fileURLToPath } from 'node:url';
import { isolateRun } from '../../sandbox/terraform/isolate-run.js';
import { OWN_ROOTS, quote } from '../../sandbox/terraform/prepare-terraform.js';
import { reportError } from '../program/output.js';

// What a sandbox's `terraform` asks how to run the real one: prints a command for the shell.

function prepare(terraform = '', roots = '', program = '', ...given: readonly string[]): void {
  const own = [process.execPath, fileURLToPath(new URL('main.js', import.meta.url))];
  const isolation = { terraform, program: own, isOwn: roots === OWN_ROOTS };
  const { folder, args } = isolateRun(process.cwd(), given, isolation, process.env);
  process.stdout.write(
    `unset TF_DATA_DIR; cd ${quote(folder)} && exec ${[program, ...args].map(quote).join(' ')}`,
  );
}

try {
  prepare(...process.argv.slice(2));
} catch (error) {
  // Not awaited: what says the mistake is loaded from this file, once it has come to its end.
  void reportError(error).then((status) => {
    process.exitCode = status;
  });
}

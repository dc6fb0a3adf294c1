#!/usr/bin/env node
// Nothing of the program is imported before the check: an older Node.js fails on the imports themselves.
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `secure-connectivity: Node.js must be 20.19 or newer, got: ${process.versions.node}; install a newer one\n`,
  );
  process.exitCode = 2;
} else {
  // Node.js 22 and newer keep what they compiled for the next start.
  const { enableCompileCache } = module as { enableCompileCache?: () => void };
  enableCompileCache?.();
  // A name lookup that hangs in the system's library cannot be cancelled, and would hold the process.
  process.exit(await start());
}

/** A program that may open too few files cannot even import what would say so. */
async function start(): Promise<number> {
  try {
    const { run } = await import('./run.js');
    return await run(process.argv.slice(2));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EMFILE', 'ENFILE'].includes(code)) throw error;
    process.stderr.write(
      `secure-connectivity: run.too-many-files: this process may open no more files, got: ${code}; raise the limit (ulimit -n)\n`,
    );
    return 20;
  }
}

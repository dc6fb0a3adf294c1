#!/usr/bin/env node
// Nothing is imported before the check: an older Node.js fails on the imports themselves.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 18)) {
  process.stderr.write(
    `secure-connectivity: Node.js must be 20.18 or newer, got: ${process.versions.node}; install a newer one\n`,
  );
  process.exitCode = 2;
} else {
  const { run } = await import('./run.js');
  process.exitCode = await run(process.argv.slice(2));
}

export {};

/**
 * Lets whoever reads the output stop early, as `head` does: what is left to say is lost, and the
 * exit status still tells the result.
 */
export function letReadersLeave(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Writes a line that Terraform takes into its own log; silent unless TF_LOG asks for a log. */
export function log(
  level: Level,
  message: string,
  facts: Readonly<Record<string, string | number>> = {},
): void {
  if (!process.env.TF_LOG && !process.env.TF_LOG_PROVIDER) return;
  const line = {
    '@level': level,
    '@message': message,
    '@timestamp': new Date().toISOString(),
    ...facts,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

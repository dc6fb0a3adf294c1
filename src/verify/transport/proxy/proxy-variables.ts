/** The variables in which clients look for a proxy; the rest of the environment is nobody's business. */
export function proxyVariables(): Record<string, string | undefined> {
  const found = Object.entries(process.env).filter(([name]) =>
    /^(https?|all|no)_proxy$/i.test(name),
  );
  return Object.fromEntries(found);
}

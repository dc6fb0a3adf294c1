import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** One tested file for each construct; what its function does is the construct's `@example`. */
const FOLDER = 'stacks/examples';

/** The constructs, by the name of their file and of the example's. */
export function examples(): readonly { readonly name: string; readonly source: string }[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(cloud|constructs)\//.test(file),
  );
  return readdirSync(FOLDER).map((file) => {
    const name = file.replace(/\.ts$/, '');
    const source = sources.find((file) => file.endsWith(`/${name}.ts`)) ?? '';
    return { name, source: `src/${source}` };
  });
}

/** The source of a construct with the `@example` that its example file asks for. */
export function withExample(name: string, source: string): string {
  const file = readFileSync(`${FOLDER}/${name}.ts`, 'utf8');
  const [, body = ''] = /\): void \{\n(.*)\n\}\n$/s.exec(file) ?? [];
  const lines = body.split('\n').map((line) => ` * ${line.replace(/^ {2}/, '')}`.trimEnd());
  const example = [' * @example', ' * ```ts', ...lines, ' * ```', ' */'].join('\n');
  const text = readFileSync(source, 'utf8');
  const declared =
    /(\/\*\*(?:(?!\*\/).)*?)(?:\n \* *)?(?:\n \* @example(?:(?!\*\/).)*)?\s*\*\/\n(export class \w+ extends (?:Construct|TerraformProvider)\b)/s;
  return text.replace(declared, (_, before: string, after: string) => {
    const head = before.startsWith('/**\n') ? before : before.replace(/^\/\*\* /, '/**\n * ');
    return `${head.trimEnd()}\n *\n${example}\n${after}`;
  });
}

if (process.argv[1]?.endsWith('examples.ts')) {
  for (const { name, source } of examples()) writeFileSync(source, withExample(name, source));
}

import ts from 'typescript';

/**
 * Types that zod infers, written out: who installs the package does not get zod, and sees fields
 * with their comments rather than a computation. Of a schema itself `parse` and `safeParse` remain.
 *
 * @param text the declarations of the source, as the compiler has emitted them
 */
export function withoutZod(text: string, source: ts.SourceFile, checker: ts.TypeChecker): string {
  if (!/from 'zod/.test(text)) return text;
  const module = checker.getSymbolAtLocation(source);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  const writer = new Writer(checker, source, symbols);
  const file = ts.createSourceFile('emitted.d.ts', text, ts.ScriptTarget.Latest, true);
  const statements = file.statements.map((statement) => {
    const own = statement.getFullText(file);
    if (!/\bz\./.test(statement.getText(file))) {
      return /from 'zod/.test(own) ? '' : own;
    }
    const symbol = symbols.find(({ name }) => name === nameOf(statement));
    if (symbol === undefined) return '';
    const comment = own.slice(0, statement.getLeadingTriviaWidth(file));
    const written = writer.declaration(symbol);
    return written === undefined ? '' : `${comment}${written}`;
  });
  const written = statements.join('').trim();
  return `${written.includes('Schema<') ? SCHEMA : ''}${written}\n`;
}

const SCHEMA = `/** Checks values of one shape. */
interface Schema<T> {
    /** @throws Error whose \`issues\` say what is wrong, and where */
    parse(value: unknown): T;
    safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}
`;

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isTypeAliasDeclaration(statement)) return statement.name.text;
  if (!ts.isVariableStatement(statement)) return undefined;
  return statement.declarationList.declarations[0]?.name.getText();
}

class Writer {
  readonly aliases: readonly ts.Symbol[];
  /** Interfaces, which stay as they are: they may hold themselves. */
  readonly interfaces: ReadonlySet<ts.Symbol>;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly place: ts.Node,
    symbols: readonly ts.Symbol[],
  ) {
    this.aliases = symbols.filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias);
    this.interfaces = new Set(symbols.filter(({ flags }) => flags & ts.SymbolFlags.Interface));
  }

  /** An exported type alias or schema; undefined for a constant that is no schema. */
  declaration(symbol: ts.Symbol): string | undefined {
    if (symbol.flags & ts.SymbolFlags.TypeAlias) {
      const type = this.checker.getDeclaredTypeOfSymbol(symbol);
      return `export type ${symbol.name} = ${this.#type(type, '')};`;
    }
    const output = this.#output(this.checker.getTypeOfSymbolAtLocation(symbol, this.place));
    if (output === undefined) return undefined;
    const alias = this.aliases.find((one) => this.#isSame(one, output));
    return `export declare const ${symbol.name}: Schema<${alias?.name ?? this.#type(output, '')}>;`;
  }

  #isSame(alias: ts.Symbol, type: ts.Type): boolean {
    const declared = this.checker.getDeclaredTypeOfSymbol(alias);
    return (
      this.checker.isTypeAssignableTo(declared, type) &&
      this.checker.isTypeAssignableTo(type, declared)
    );
  }

  #output(schema: ts.Type): ts.Type | undefined {
    const parse = schema.getProperty('parse');
    if (parse === undefined) return undefined;
    const [call] = this.checker.getTypeOfSymbol(parse).getCallSignatures();
    return call && this.checker.getReturnTypeOfSignature(call);
  }

  #type(type: ts.Type, indent: string): string {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) {
      const members = new Set(type.types.map((one) => this.#type(one, indent)));
      if (members.has('true') && members.delete('false')) {
        members.delete('true');
        members.add('boolean');
      }
      if (members.delete('undefined')) members.add('undefined');
      return [...members].join(' | ');
    }
    if (this.checker.isArrayType(type)) {
      const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
      const text = element ? this.#type(element, indent) : 'unknown';
      return element?.isUnion() ? `(${text})[]` : `${text}[]`;
    }
    const { symbol } = type;
    if (this.interfaces.has(symbol)) return symbol.name;
    if (type.flags & ts.TypeFlags.Object && type.getCallSignatures().length === 0) {
      return this.#object(type, indent);
    }
    return this.checker.typeToString(type, this.place, ts.TypeFormatFlags.NoTruncation);
  }

  #object(type: ts.Type, indent: string): string {
    const inner = `${indent}    `;
    const fields = this.checker.getPropertiesOfType(type).map((field) => {
      const comment = ts.displayPartsToString(field.getDocumentationComment(this.checker));
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const text = this.#type(this.checker.getTypeOfSymbol(field), inner);
      const about = comment && `${inner}/** ${comment} */\n`;
      const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : `'${field.name}'`;
      return `${about}${inner}${name}${isOptional ? '?' : ''}: ${text};\n`;
    });
    const [index, ...others] = this.checker.getIndexInfosOfType(type);
    if (index !== undefined && fields.length + others.length === 0) {
      const key = this.checker.typeToString(index.keyType);
      return `Record<${key}, ${this.#type(index.type, indent)}>`;
    }
    const indexes = [...(index ? [index] : []), ...others].map(({ keyType, type: value }) => {
      const key = this.checker.typeToString(keyType);
      return `${inner}[key: ${key}]: ${this.#type(value, inner)};\n`;
    });
    return `{\n${[...fields, ...indexes].join('')}${indent}}`;
  }
}

import ts from 'typescript';

/** An exported name as the reference shows it. */
export interface ApiSymbol {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'function' | 'type' | 'constant';
  readonly about: string;
  /** An `@example`, as Markdown. */
  readonly example: string;
  /** Its call or construction, or the text of a type. */
  readonly signatures: readonly string[];
  readonly members: readonly ApiMember[];
}

export interface ApiMember {
  readonly name: string;
  readonly type: string;
  readonly about: string;
}

const { SymbolFlags, TypeFormatFlags } = ts;
const FORMAT = TypeFormatFlags.NoTruncation | TypeFormatFlags.WriteArrowStyleSignature;

/** Reads the exports of modules from their types. */
export class ApiReader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile('scripts/tsconfig.build.json', ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, 'scripts');
    this.#program = ts.createProgram(files, options);
    this.#checker = this.#program.getTypeChecker();
  }

  /** The exports of a module, by name. */
  exportsOf(file: string): ApiSymbol[] {
    const source = this.#program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module`);
    return this.#checker
      .getExportsOfModule(module)
      .map((symbol) => this.#read(symbol))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #read(exported: ts.Symbol): ApiSymbol {
    const isAlias = (exported.flags & SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported;
    const kind = kindOf(symbol);
    return {
      name: exported.name,
      kind,
      about: this.#about(symbol),
      example: tagText(symbol, this.#checker, 'example'),
      signatures: this.#signatures(symbol, kind),
      members: this.#hasMembers(symbol, kind) ? this.#members(symbol, kind) : [],
    };
  }

  #signatures(symbol: ts.Symbol, kind: ApiSymbol['kind']): string[] {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined || kind === 'interface') return [];
    if (kind === 'type' && this.#hasMembers(symbol, kind)) return [];
    if (kind === 'type') return [`type ${this.#aliasText(symbol, declaration)}`];
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration);
    if (kind === 'constant') return [`const ${symbol.name}: ${this.#typeText(type, declaration)}`];
    const calls = kind === 'class' ? type.getConstructSignatures() : type.getCallSignatures();
    const word = kind === 'class' ? 'new ' : '';
    return calls.map(
      (call) => `${word}${symbol.name}${this.#checker.signatureToString(call, declaration)}`,
    );
  }

  /** Types that a schema makes are shown as interfaces are. */
  #hasMembers(symbol: ts.Symbol, kind: ApiSymbol['kind']): boolean {
    if (kind !== 'type') return kind === 'class' || kind === 'interface';
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
    return isObject && type.getCallSignatures().length === 0 && type.getProperties().some(isShown);
  }

  #members(symbol: ts.Symbol, kind: ApiSymbol['kind']): ApiMember[] {
    const instance = this.#checker.getDeclaredTypeOfSymbol(symbol).getProperties();
    const [declaration] = symbol.declarations ?? [];
    const statics =
      kind === 'class' && declaration !== undefined
        ? this.#checker.getTypeOfSymbolAtLocation(symbol, declaration).getProperties()
        : [];
    return [
      ...statics.filter(isShown).map((each) => this.#member(each, `${symbol.name}.`)),
      ...instance.filter(isShown).map((each) => this.#member(each, '')),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #member(symbol: ts.Symbol, prefix: string): ApiMember {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) throw new Error(`${symbol.name} is declared nowhere`);
    const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0;
    const written = ts.isPropertySignature(declaration) ? declaration.type?.getText() : undefined;
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration);
    return {
      name: `${prefix}${symbol.name}${isOptional ? '?' : ''}`,
      type: oneLine(
        written === undefined || written.includes('typeof')
          ? this.#typeText(type, declaration)
          : written,
      ),
      about: this.#about(symbol),
    };
  }

  /** As it is written, unless that says only which constant it is made from. */
  #aliasText(symbol: ts.Symbol, declaration: ts.Declaration): string {
    const written = declaration.getText().replace(/^export type /, '');
    if (!written.includes('typeof')) return oneLine(written);
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const format = FORMAT | TypeFormatFlags.InTypeAlias;
    return `${symbol.name} = ${this.#typeText(type, declaration, format)};`;
  }

  /** A type without the folder of the file that declares it, which differs from checkout to checkout. */
  #typeText(type: ts.Type, at: ts.Node, format = FORMAT): string {
    return this.#checker.typeToString(type, at, format).replaceAll(/import\("[^"]*"\)\./g, '');
  }

  #about(symbol: ts.Symbol): string {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    const initial = tagText(symbol, this.#checker, 'default');
    const thrown = tagText(symbol, this.#checker, 'throws');
    const parts = [
      text.replaceAll(/\{@link (\S+?)\}/g, '`$1`'),
      initial && `Default: ${initial.replace(/^- /, '')}.`,
      thrown && `Throws ${thrown.replace(/\.$/, '')}.`,
    ];
    return oneLine(parts.filter(Boolean).join(' '));
  }
}

function kindOf({ flags }: ts.Symbol): ApiSymbol['kind'] {
  if (flags & SymbolFlags.Class) return 'class';
  if (flags & SymbolFlags.Interface) return 'interface';
  if (flags & SymbolFlags.Function) return 'function';
  return flags & SymbolFlags.TypeAlias ? 'type' : 'constant';
}

/** Members of this package that are public; what a base class of a library brings is in its own reference. */
function isShown({ name, declarations = [] }: ts.Symbol): boolean {
  const [declaration] = declarations;
  if (declaration === undefined || name === 'prototype' || name.startsWith('#')) return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHidden = (ts.getCombinedModifierFlags(declaration) & hidden) !== 0;
  const { fileName } = declaration.getSourceFile();
  return !isHidden && !name.startsWith('__@') && !fileName.includes('node_modules');
}

function tagText(symbol: ts.Symbol, checker: ts.TypeChecker, name: string): string {
  return symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map(({ text }) => ts.displayPartsToString(text))
    .join('; ')
    .trim();
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

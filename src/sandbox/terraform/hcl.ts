import { findCalls } from './calls.js';
import { PURE_FUNCTIONS } from './functions.js';
import { isOwnProvider, isOwnType } from './own-types.js';
import { readTokens, type Token, UnreadableText } from './tokens.js';

/** A block of Terraform's language, with everything in it. */
interface Block {
  readonly kind: string;
  readonly labels: readonly string[];
  readonly line: number;
  readonly attributes: readonly { readonly name: string; readonly value: readonly Token[] }[];
  readonly blocks: readonly Block[];
}

/** A word that a sandbox does not take, where it is, and why. */
export interface Refusal {
  readonly word: string;
  readonly line: number;
}

/**
 * Looks for what a sandbox does not understand in HCL: it takes blocks, resource types, providers and
 * functions that it knows, and nothing else.
 */
export function findRefusal(text: string): Refusal | undefined {
  try {
    const tokens = readTokens(text);
    const call = findCalls(tokens).find(({ name }) => !PURE_FUNCTIONS.has(name));
    if (call !== undefined) return { word: `${call.name}()`, line: call.line };
    const { blocks, attributes } = new BodyReader(tokens).body(0);
    if (attributes[0] !== undefined) return { word: attributes[0].name, line: 1 };
    return first(blocks, refusalOfTop);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return { word: error.what, line: error.line };
  }
}

function first(blocks: readonly Block[], check: (block: Block) => Refusal | undefined) {
  for (const block of blocks) {
    const found = check(block);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Blocks at the top that hold values only, or resources of their own kind of block. */
const PLAIN = new Set(['variable', 'locals', 'output', 'moved', 'removed', 'import', 'check']);

function refusalOfTop(block: Block): Refusal | undefined {
  const { kind, labels, line } = block;
  if (kind === 'terraform') return first(block.blocks, refusalInTerraform);
  if (kind === 'provider') return refusalOfProvider(block);
  if (kind === 'resource' || kind === 'data') return refusalOfTyped(block);
  return PLAIN.has(kind)
    ? first(block.blocks, refusalOfNested)
    : { word: [kind, ...labels].join(' '), line };
}

function refusalOfTyped(block: Block): Refusal | undefined {
  const [type = ''] = block.labels;
  if (!isOwnType(block.kind, type)) return { word: `${block.kind} ${type}`, line: block.line };
  return first(block.blocks, refusalOfNested);
}

/** Blocks that run or reach something wherever they are. */
const NEVER_NESTED = new Set(['provisioner', 'connection', 'action_trigger', 'provider']);

function refusalOfNested(block: Block): Refusal | undefined {
  if (block.kind === 'data' && block.labels.length > 0) return refusalOfTyped(block);
  if (NEVER_NESTED.has(block.labels[0] ?? '') || NEVER_NESTED.has(block.kind)) {
    return { word: [block.kind, ...block.labels].join(' '), line: block.line };
  }
  return first(block.blocks, refusalOfNested);
}

function refusalInTerraform({ kind, line, attributes }: Block): Refusal | undefined {
  if (kind === 'backend') return undefined;
  if (kind !== 'required_providers') return { word: kind, line };
  const foreign = attributes.find(({ name, value }) => !isOwnProvider(name, sourceIn(value)));
  return foreign && { word: foreign.name, line: foreign.value[0]?.line ?? line };
}

/** The source in `{ source = "…", version = "…" }`; one that cannot be known is none of ours. */
function sourceIn(value: readonly Token[]): string | undefined {
  const tokens = value.filter(({ kind }) => kind !== 'newline');
  if (tokens.length === 1 && tokens[0]?.kind === 'text') return undefined;
  const names = tokens.map((token) => (token.kind === 'text' ? token.literal : token.text));
  const members = tokens.flatMap((token, i) =>
    [':', '='].includes(token.text) && token.kind === 'mark' ? [i - 1] : [],
  );
  const isPlain = members.every((i) => ['source', 'version'].includes(names[i] ?? ''));
  const sources = members.filter((i) => names[i] === 'source').map((i) => names[i + 2]);
  return isPlain && sources.length === 1 ? (sources[0] ?? '') : '';
}

const PROVIDER_ATTRIBUTES = new Set(['alias', 'region', 'version']);

function refusalOfProvider({ labels, line, attributes, blocks }: Block): Refusal | undefined {
  const [name = ''] = labels;
  if (!isOwnProvider(name, undefined)) return { word: `provider ${name}`, line };
  const attribute = attributes.find((one) => !PROVIDER_ATTRIBUTES.has(one.name));
  const word = attribute?.name ?? blocks[0]?.kind;
  return word === undefined
    ? undefined
    : { word, line: attribute?.value[0]?.line ?? blocks[0]?.line ?? line };
}

const MAX_BLOCKS_DEEP = 50;

class BodyReader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** Reads to the end, or to the bracket that closes a body. */
  body(depth: number): Pick<Block, 'attributes' | 'blocks'> {
    const attributes: { name: string; value: readonly Token[] }[] = [];
    const blocks: Block[] = [];
    for (;;) {
      const token = this.tokens[this.#at];
      if (token?.kind === 'newline') this.#at += 1;
      else if (token === undefined || token.text === '}') {
        if ((token === undefined) !== (depth === 0)) throw unreadable(token);
        this.#at += 1;
        return { attributes, blocks };
      } else if (token.kind !== 'name' || depth > MAX_BLOCKS_DEEP) throw unreadable(token);
      else if (this.tokens[this.#at + 1]?.text === '=') {
        this.#at += 2;
        attributes.push({ name: token.text, value: this.#value() });
      } else blocks.push(this.#block(depth));
    }
  }

  #block(depth: number): Block {
    const [head, ...labels] = this.#head();
    if (head === undefined) throw unreadable(undefined);
    return {
      kind: head.text,
      line: head.line,
      labels: labels.map((label) => {
        const text = label.kind === 'text' ? label.literal : label.text;
        if (text === undefined || label.inner?.length) throw unreadable(label);
        return text;
      }),
      ...this.body(depth + 1),
    };
  }

  #head(): Token[] {
    const words: Token[] = [];
    for (;;) {
      const token = this.tokens[this.#at];
      this.#at += 1;
      if (token?.kind === 'mark' && token.text === '{') return words;
      if (token?.kind !== 'name' && token?.kind !== 'text') throw unreadable(token);
      words.push(token);
    }
  }

  /** The tokens of a value, which ends with its line or its body. */
  #value(): Token[] {
    const start = this.#at;
    for (let open = 0; this.#at < this.tokens.length; this.#at += 1) {
      const token = this.tokens[this.#at];
      if (open === 0 && (token?.kind === 'newline' || token?.text === '}')) break;
      if (token?.kind !== 'mark') continue;
      if ('([{'.includes(token.text)) open += 1;
      if (')]}'.includes(token.text)) open -= 1;
    }
    return this.tokens.slice(start, this.#at);
  }
}

function unreadable(token: Token | undefined): UnreadableText {
  return new UnreadableText(token === undefined ? 'its end' : `"${token.text}"`, token?.line ?? 1);
}

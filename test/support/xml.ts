/** An element as a strict reader of XML sees it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d+));/g;
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads the plain subset of XML that reports are written in. @throws Error at anything else */
export function parseXml(xml: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(head)) throw new Error('no XML declaration');
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(xml)) {
    throw new Error('a character that XML does not allow');
  }
  const root = { name: '', attributes: {}, children: [] as XmlElement[], text: '' };
  const open: { name: string; attributes: object; children: XmlElement[]; text: string }[] = [root];
  for (let at = head.length; at < xml.length; ) {
    const parent = open.at(-1) ?? root;
    TEXT.lastIndex = at;
    TAG.lastIndex = at;
    const text = TEXT.exec(xml)?.[0];
    const [tag, closes, name = '', attributes = '', isEmpty] = TAG.exec(xml) ?? [];
    if (text !== undefined) parent.text += decode(text);
    else if (tag === undefined) throw new Error(`no tag at: ${xml.slice(at, at + 40)}`);
    else if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
    at += (text ?? tag ?? '').length;
  }
  const [first] = root.children;
  if (open.length !== 1 || first === undefined || root.children.length !== 1) {
    throw new Error('there must be one root element, and it must be closed');
  }
  return first;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (name in found) throw new Error(`${name} appears twice`);
    found[name] = decode(value);
  }
  return found;
}

function decode(text: string): string {
  if (/&/.test(text.replace(ENTITY, ''))) throw new Error(`an & that begins no entity: ${text}`);
  return text.replace(ENTITY, (_, name?: keyof typeof NAMED, number?: string) =>
    name ? NAMED[name] : String.fromCodePoint(Number(number)),
  );
}

export function allNamed(element: XmlElement, name: string): XmlElement[] {
  const inner = element.children.flatMap((child) => allNamed(child, name));
  return element.name === name ? [element, ...inner] : inner;
}

import type { Place } from '../../report/document.js';
import type { Finding } from '../report-schema.js';

/** A settings file, which `synth` made stacks from. */
export interface SettingsFile {
  readonly stacks: readonly string[];
  /** The path from the folder that the review ran in. */
  readonly path: readonly string[];
  readonly entries: readonly Entry[];
}

/** Reads where settings say what. @param text valid JSON */
export function settingsFile(
  stacks: readonly string[],
  path: readonly string[],
  text: string,
): SettingsFile {
  return { stacks, path, entries: readEntries(text) };
}

/**
 * Finds the line of the settings that a finding comes from: that of the value that is new, else of the option
 * that makes the resource, else the first.
 *
 * @returns undefined where none of the files made its stack
 */
export function findSetting(finding: Finding, files: readonly SettingsFile[]): Place | undefined {
  const file = files.find(({ stacks }) => stacks.includes(finding.stack));
  if (file === undefined) return undefined;
  const { entries } = file;
  const option = findOption(finding, entries) ?? [];
  const own = entries.filter(({ path }) => option.every((key, i) => path[i] === key));
  const { peers, texts } = newTexts(finding);
  // Who may call is often said elsewhere, such as by the network; a number elsewhere is another setting.
  const entry =
    findValue(own, option.length > 0 ? [...peers, ...texts] : texts.filter(isLong)) ??
    findValue(entries, peers) ??
    findKey(own, finding.what) ??
    (option.length > 0 ? own[0] : undefined);
  return { root: 'SETTINGS', path: file.path, line: entry?.line ?? 1 };
}

/** A key of a JSON text, or a value with the keys that lead to it. */
interface Entry {
  /** A list adds no key. */
  readonly path: readonly string[];
  /** Undefined for a key. */
  readonly value?: string;
  readonly line: number;
}

/** A string, with the colon that follows it if it is a key; a bracket; or another value. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]|[^\s[\]{},:"]+/g;

function readEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  const open: string[] = [];
  let line = 1;
  let at = 0;
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(TOKEN)) {
    line += text.slice(at, index).split('\n').length - 1;
    at = index;
    const path = () => open.filter((key) => key !== '');
    if (token === '{' || token === '[') open.push('');
    else if (token === '}' || token === ']') open.pop();
    else if (colon === undefined) {
      entries.push({
        path: path(),
        value: string === undefined ? token : JSON.parse(string),
        line,
      });
    } else {
      open[open.length - 1] = JSON.parse(string ?? '""');
      entries.push({ path: path(), line });
    }
  }
  return entries;
}

/** The option that makes a resource: its construct has the same name in other letters. */
function findOption(
  { stack, resource, what }: Finding,
  entries: readonly Entry[],
): readonly string[] | undefined {
  const name = resource.slice(resource.indexOf('.') + 1);
  if (stack.startsWith('plugin-') && /^network(?![A-Za-z0-9])/.test(name)) return PLUGIN_NETWORK;
  const options = entries.filter(({ path }) => path.length === 1).map(({ path }) => path);
  const findIn = (isNamed: (option: string) => boolean) =>
    options.find(([option = '']) => isNamed(kebab(option)));
  return (
    findIn((option) => name.split(/[_.[]/)[0]?.startsWith(option) === true) ??
    findIn((option) => option.includes('-') && wordsIn(what).includes(option))
  );
}

const PLUGIN_NETWORK = ['pluginEndpointService', 'loadBalancer', 'network'];

/** The texts that a finding says are new, the most telling first: whoever could reach nothing before, else the service. */
function newTexts({ who, what, before, after }: Finding) {
  if (after === CLOSED) return { peers: [], texts: [] };
  const old = wordsIn(before);
  const added = wordsIn(after).filter((word) => !old.includes(word));
  const named = wordsIn(what).filter((word) => added.includes(word));
  const peers = wordsIn(who).filter((word) => /\d/.test(word));
  return { peers: before === CLOSED ? peers : [], texts: [...named, ...added] };
}

const CLOSED = 'closed';

function wordsIn(text: string): string[] {
  const words = text.split(/[\s,;–"{}[\]]+/).map((word) => word.replace(/:$/, ''));
  return words.filter((word) => word !== '');
}

function findValue(entries: readonly Entry[], texts: readonly string[]): Entry | undefined {
  const found = texts.map((text) => entries.find(({ value = '' }) => isOf(value, text)));
  return found.find((entry) => entry !== undefined);
}

/** Tells whether a text is a value as reports write it: a CIDR of one address, a server with its port, the end of a name. */
function isOf(value: string, text: string): boolean {
  if (value === text || value === text.replace(/\/(?:32|128)$/, '')) return true;
  return isLong(value) && (text.startsWith(`${value}:`) || value.endsWith(`.${text}`));
}

/** Tells a name or an address from a port or a word, which settings have in many places. */
function isLong(text: string): boolean {
  return text.length > 5;
}

function findKey(entries: readonly Entry[], attribute: string): Entry | undefined {
  return entries.find(({ path, value }) => {
    const key = path.at(-1);
    return (
      value === undefined && key !== undefined && kebab(key) === attribute.replaceAll('_', '-')
    );
  });
}

function kebab(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

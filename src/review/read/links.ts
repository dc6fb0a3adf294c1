import { type Json, object, text } from './json.js';
import type { TerraformStackJson } from './terraform-json.js';

/** What a stack gives clients and the check about one connection to the service. */
export interface StatedLink {
  readonly name: string;
  readonly via: string;
  /** May hold a reference that Terraform fills in. */
  readonly baseUrl: string;
  /** Everything that is written of it; expressions outside of texts are `${…}`. */
  readonly written: Json;
}

/** The links of a stack's output `connectivity`, which Terraform completes at the deploy. */
export function readConnectivity({ outputs }: TerraformStackJson): StatedLink[] {
  const value = object(outputs.connectivity).value;
  if (typeof value !== 'string') return [];
  const { links } = object(parse(withoutBareExpressions(value)));
  return (Array.isArray(links) ? links : []).map((link) => {
    const { name, via, baseUrl } = object(link);
    return { name: text(name), via: text(via), baseUrl: text(baseUrl), written: object(link) };
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Expressions outside of JSON's strings are values that are not known yet: they become texts. */
function withoutBareExpressions(template: string): string {
  // Not whole strings: a long one would exhaust the stack of the expression.
  const token = /\\.|"|\$\{/gs;
  let out = '';
  let at = 0;
  let isInString = false;
  for (let found = token.exec(template); found !== null; found = token.exec(template)) {
    const { 0: piece, index } = found;
    if (piece === '"') isInString = !isInString;
    if (piece !== '${' || isInString) continue;
    token.lastIndex = endOfExpression(template, index) + 1;
    out += template.slice(at, index) + JSON.stringify(template.slice(index, token.lastIndex));
    at = token.lastIndex;
  }
  return out + template.slice(at);
}

function endOfExpression(template: string, start: number): number {
  let depth = 0;
  for (let at = start; at < template.length; at += 1) {
    if (template[at] === '{') depth += 1;
    if (template[at] === '}') depth -= 1;
    if (template[at] === '}' && depth === 0) return at;
  }
  return template.length;
}

import { CODES, type Code } from './codes.js';
import { nearTexts } from './near-text.js';

const MOST = 3;

/** Codes that somebody may have meant: with few other letters, else with the text as a word or at the start. */
export function nearCodes(text: string): readonly Code[] {
  const wanted = text.toLowerCase();
  const codes = Object.keys(CODES) as Code[];
  const near = nearTexts(wanted, codes);
  const alike = codes.filter(
    (code) => code.split(/[.-]/).includes(wanted) || (wanted !== '' && code.startsWith(wanted)),
  );
  return (near.length > 0 ? near : alike).slice(0, MOST);
}

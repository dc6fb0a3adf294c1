import { peerName, type Verdict } from '../packet-rule.js';
import { type Json, object, text } from '../read/json.js';
import {
  ANSWERS,
  ANSWERS_OUTPUT,
  ASSUMED,
  ASSUMED_IDS,
  type StatedAnswer,
  type StatedAnswers,
} from '../semantics.js';
import { EVERYTHING, sameSpans } from '../sets/services.js';
import { EVERYONE } from './peers.js';
import type { RuleList } from './reading.js';
import { QUESTIONS } from './rule-list.js';

/** Reads an owner's answers from the outputs of a stack; what is incomplete is no answer. */
export function readAnswers(outputs: Json): StatedAnswers {
  const written = object(object(outputs[ANSWERS_OUTPUT]).value);
  return Object.fromEntries(
    ASSUMED_IDS.flatMap((id) => {
      const stated = readAnswer(object(written[id]));
      return stated === undefined ? [] : [[id, stated]];
    }),
  );
}

function readAnswer({ answer, seen, how }: Json): StatedAnswer | undefined {
  const known = ANSWERS.find((one) => one === answer);
  const isWhole = /^\d{4}-\d{2}-\d{2}$/.test(text(seen)) && text(how) !== '';
  return known && isWhole ? { answer: known, seen: text(seen), how: text(how) } : undefined;
}

/** The answers of several stacks that act on one cloud: what they answer differently is in doubt. */
export function jointAnswers(all: readonly StatedAnswers[]): StatedAnswers {
  return Object.fromEntries(
    ASSUMED_IDS.flatMap((id) => {
      const given = all.flatMap((one) => one[id] ?? []);
      const isOne = new Set(given.map(({ answer }) => answer)).size === 1;
      return isOne ? [[id, given[0]]] : [];
    }),
  );
}

/** The answers in sentences. */
export function answerTexts(answers: StatedAnswers): string[] {
  return ASSUMED_IDS.flatMap((id) => {
    const stated = answers[id];
    if (stated === undefined) return [];
    const { question } = ASSUMED[id];
    return [
      `${id} is stated by the owner: ${question} ${ASSUMED[id][stated.answer]} (seen ${stated.seen}: ${stated.how})`,
    ];
  });
}

/** Finds the lists whose question leaves something open, whatever depends on it. */
export function listsInDoubt(lists: readonly RuleList[]): RuleList[] {
  return lists.filter(({ kind, rules, stated }) => {
    const question = QUESTIONS[kind];
    if (question === undefined || stated !== undefined) return false;
    const sides = new Map(rules.map(({ priority, isAccept }) => [priority, isAccept]));
    const isTied = rules.some(({ priority, isAccept }) => sides.get(priority) !== isAccept);
    const isLeft = rules.some(({ assumes }) => assumes === question) && !isClosed(rules);
    return (kind !== 'group' && isTied) || isLeft;
  });
}

/** Tells whether a rule drops everything that the others leave, so that nothing is left to a default. */
function isClosed(rules: readonly Verdict[]): boolean {
  return EVERYONE.every((all) =>
    rules.some(
      ({ isAccept, services, peers }) =>
        !isAccept &&
        sameSpans(services, EVERYTHING) &&
        peers.some((peer) => peerName(peer) === peerName(all)),
    ),
  );
}

/** Answers what a list leaves open as its owner does. */
export function settleList(list: RuleList, answers: StatedAnswers): RuleList {
  const question = QUESTIONS[list.kind];
  const stated = question && answers[question];
  if (stated === undefined) return list;
  const { answer } = stated;
  const rules = list.rules.flatMap(({ assumes, ...rule }): Verdict[] => {
    if (assumes === undefined) return [rule];
    const said = `${rule.text}, as the owner states (seen ${stated.seen})`;
    return answer === 'open' ? [{ ...rule, text: said }] : [];
  });
  return { ...list, rules, stated: answer };
}

/** A resource as `terraform show -json` describes what changes of it. */
import { isDeepStrictEqual } from 'node:util';

/** A check with `runOn: every-deploy` is planned anew each time, by its trigger `deployed` alone. */
export function isDifference({ type, change }) {
  if (change.actions.every((action) => action === 'no-op' || action === 'read')) return false;
  if (type !== 'null_resource' || !change.after_unknown?.triggers?.deployed) return true;
  const without = ({ triggers: { deployed, ...rest } = {} }) => rest;
  return (
    change.before === null || !isDeepStrictEqual(without(change.before), without(change.after))
  );
}

export function isUpdate({ change }) {
  return change.actions.includes('update');
}

/** Attributes that differ and may be shown. */
export function differentNames({ change }) {
  const { before_sensitive, after_sensitive } = change;
  const [before, after] = [change.before ?? {}, change.after ?? {}];
  return Object.keys({ ...before, ...after }).filter(
    (name) =>
      !isDeepStrictEqual(before[name], after[name]) &&
      !hasTrue(before_sensitive?.[name]) &&
      !hasTrue(after_sensitive?.[name]),
  );
}

/** Of these, what the code says; the rest, such as a count of free addresses, is the cloud's own. */
export function writtenNames(code, drift) {
  const body = code.resource?.[drift.type]?.[drift.name] ?? {};
  return differentNames(drift).filter((name) => name in body);
}

/** Terraform marks what is sensitive by `true`, inside of what is shaped as the value. */
function hasTrue(marks) {
  return marks === true || Object.values(Object(marks)).some(hasTrue);
}

/** @returns {string[]} a line for the resource and each of its attributes that differ */
export function describe({ address, change }, where, names) {
  const { actions, before, after } = change;
  const values = actions.includes('update') ? names : [];
  return [
    `${address}: ${actions.join(' and ')} ${where}`,
    ...values.flatMap((name) => compare(name, before[name], after[name])),
  ];
}

/** Of lists, only the elements that are not in both. */
function compare(name, before, after) {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return [`  ${name}: ${show(before)} → ${show(after)}`];
  }
  const without = (all, others) =>
    all.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
  return [
    ...without(before, after).map((one) => `  ${name}: − ${show(one)}`),
    ...without(after, before).map((one) => `  ${name}: + ${show(one)}`),
  ];
}

/** JSON has no value for what is not known before the deploy. */
function show(value) {
  return JSON.stringify(value) ?? 'known after the deploy';
}

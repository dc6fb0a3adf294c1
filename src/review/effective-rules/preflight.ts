import { type Checkout, keyPairOf, projectPath, type Step } from './check-steps.js';
import { type Fact, toValues } from './fact.js';

/** The networks are those of the callers, which are compared as access. */
const PREFLIGHT = /^preflight( --report-only)?(?: --network [\da-f.:/]+)* --api-host$/;

/**
 * What the first step of a deploy proves: that its check can run.
 *
 * @returns undefined where the steps are not those of a preflight
 */
export function readPreflight(
  address: string,
  steps: readonly Step[],
  checkout: Checkout,
): Fact[] | undefined {
  const read = steps.map(({ command }) => PREFLIGHT.exec(command));
  if (read.some((match) => match === null)) return undefined;
  const isRequired = read.every((match) => match?.[1] === undefined);
  const fact = (
    what: string,
    values: unknown,
    guards: Fact['guards'],
    consequence: string,
  ): Fact => ({
    kind: 'safeguard',
    resource: address,
    what,
    values: toValues(values),
    guards,
    consequence,
    isLasting: true,
  });
  return [
    fact(
      'preflight',
      isRequired ? ['runs', 'stops the deploy'] : ['runs'],
      'removed',
      'a deploy begins though its check cannot run',
    ),
    fact(
      'key pairs',
      steps.map(({ environment }) => keyPairOf(environment, checkout)),
      'any',
      'another key pair signs, and is proved',
    ),
    fact(
      'program of the preflight',
      steps.map(({ program }) => projectPath(program, checkout)),
      'any',
      'another program runs at the deploy',
    ),
    fact(
      'API host of the preflight',
      steps.map(({ argument }) => argument),
      'any',
      'the preflight asks another host',
    ),
  ];
}

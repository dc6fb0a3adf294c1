import type { Reached } from '../../reach/ways/doors.js';

/** A name that leads clients of a VPC to an endpoint. */
export interface BoundName {
  readonly name: string;
  readonly vpc: string;
  /** True in the endpoint's own VPC, whose clients the lane of the link follows. */
  readonly isOwn: boolean;
}

/** Finds in each state the names of the first that no longer lead clients of some VPC to an endpoint, and others still. */
export function lostNames(
  states: readonly Pick<Reached, 'ways'>[],
): readonly (readonly BoundName[])[] {
  const bound = states.map(boundNames);
  const [first = []] = bound;
  return bound.map((own) =>
    first.filter(
      ({ name, vpc, isOwn }) =>
        !isOwn &&
        own.some((one) => one.name === name) &&
        !own.some((one) => one.name === name && one.vpc === vpc),
    ),
  );
}

function boundNames({ ways }: Pick<Reached, 'ways'>): BoundName[] {
  return ways
    .filter(({ direction }) => direction === 'ingress')
    .flatMap((way) =>
      way.hosts
        .filter(({ isDisabled }) => !isDisabled)
        .flatMap(({ name, vpcs }) => vpcs.map((vpc) => ({ name, vpc, isOwn: vpc === way.vpc }))),
    );
}

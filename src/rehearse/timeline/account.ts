import type { IntentAnswer } from '../../reach/intents/answer.js';
import type { Reached } from '../../reach/ways/doors.js';
import type { Change } from '../../review/packet-changes.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { ServiceNames } from '../../sandbox/surroundings.js';
import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalReport, Timeline } from '../report-schema.js';
import type { NamedLinks } from '../ways/link-way.js';
import type { BoundName, ClosedBackend } from '../ways/losses.js';
import type { Lane } from './lanes.js';
import type { StackStep } from './recorder.js';

/** The changes between two states of the cloud. */
export interface Passage {
  readonly before: CloudState;
  readonly steps: readonly StackStep[];
  /** True where the deploy failed midway: the last state is not that of the change. */
  readonly isStopped?: boolean;
  readonly links: NamedLinks;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Terraform's graph of the plan of each stack, as it prints it. @default - the order of the run counts alone */
  readonly graphs?: ReadonlyMap<string, string>;
  readonly trees: readonly RehearsedTree[];
  /** The tree whose intents are to hold at each step. @default - none are */
  readonly held?: RehearsedTree;
  readonly service: ServiceNames;
  /** Identifiers of VPCs and others that the trees name and do not make. @default - none */
  readonly standIns?: readonly string[];
}

/**
 * A group of an endpoint, or a rule of a group with its peer, that the trees name and do not make, with the steps
 * during which it is there and was not at first, or the other way round.
 */
export interface UnseenUse {
  readonly user: string;
  readonly used: string;
  readonly noun: 'group' | 'prefix list';
  /** The rule that it is in, as a text; empty of a group that an endpoint carries. */
  readonly rule: string;
  /** The names in the ways of the user, and of the endpoints that carry a group. */
  readonly ids: readonly string[];
  readonly comes: boolean;
  /** True where the user has other rules for the same, at first and then. */
  readonly isPartial: boolean;
  readonly from: number;
  readonly until?: number | undefined;
}

/** Packets that are lost, for good unless they may be open in the end. */
export type LostChange = Change & { readonly isInDoubt?: boolean };

/** Access that opens and closes in the middle of a change. */
export interface StepAccess {
  /** Open now, and neither before the change nor after it. */
  readonly transient: readonly Change[];
  /** Open before the change and after it, and not now. */
  readonly interrupted: readonly Change[];
  /** Open before the change, and neither now nor after it. */
  readonly lost: readonly LostChange[];
  /** Against the step before. */
  readonly changed: readonly Change[];
}

/** An intent in each state of the cloud: before the first step, then after each. */
export interface IntentCourse {
  readonly name: string;
  readonly answers: readonly IntentAnswer[];
}

/** A passage with what was reachable at each step. */
export interface Account extends Timeline {
  readonly passage: Passage;
  /** The ways before the first step, and after each. */
  readonly reached: readonly Reached[];
  readonly lanesSeen: readonly Lane[];
  readonly access: readonly StepAccess[];
  /** Uses of groups and prefix lists that come or go, and of which nobody says what is in them. */
  readonly unseen: readonly UnseenUse[];
  readonly intents: readonly IntentCourse[];
  /** Names that no longer lead clients of some VPC to an endpoint, before the first step and after each. */
  readonly lostNames: readonly (readonly BoundName[])[];
  /** Server groups whose calls fail, before the first step and after each. */
  readonly closedBackends: readonly (readonly ClosedBackend[])[];
  /** Addresses that are deleted and created again. */
  readonly replaced: RehearsalReport['replaced'];
}

import type { DynamicValue } from './dynamic-value.js';

/** The calls that carry a configuration of one type. */
export interface ConfigCall {
  readonly type_name: string;
  readonly config: DynamicValue | null;
}

export interface UpgradeCall {
  readonly type_name: string;
  readonly raw_state: { readonly json: Uint8Array } | null;
}

export interface ReadCall {
  readonly type_name: string;
  readonly current_state: DynamicValue | null;
  readonly private: Uint8Array;
}

export interface PlanCall extends ConfigCall {
  readonly prior_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly prior_private: Uint8Array;
}

export interface ApplyCall extends ConfigCall {
  readonly prior_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly planned_private: Uint8Array;
}

export interface ImportCall {
  readonly type_name: string;
  readonly id: string;
}

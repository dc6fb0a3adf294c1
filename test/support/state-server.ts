/** Something that keeps Terraform's states. */
export interface StateServer {
  /** `state` of the settings. */
  readonly state: { readonly backend: string; readonly config: Readonly<Record<string, unknown>> };
  /** The variables of the environment that Terraform reads of it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

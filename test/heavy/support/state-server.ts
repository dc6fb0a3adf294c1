/** Something that keeps Terraform's states. */
export interface StateServer {
  /** `state` of the settings. */
  readonly state: { readonly backend: string; readonly config: Readonly<Record<string, unknown>> };
  /** What Terraform reads of it in the environment. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A call of a plugin, as the service makes it. */
export interface PluginCall {
  /** The endpoint service of the private connection; without it the call comes over the internet. */
  readonly serviceId?: string;
  /** Over the internet: the address that it comes from. */
  readonly from?: string;
  /** Over the internet: where it goes. @default - the workload's address */
  readonly to?: string;
  /** The listener's port, or over the internet the backend's. @default - the lowest listener; 443 */
  readonly port?: number;
  /** The `user_id` of the chat: goes to the backend unchecked and unsigned. */
  readonly userId: string;
  /** @default "/" */
  readonly path?: string;
  /** Sent by POST; without it the call is a GET. */
  readonly body?: string;
  /** The loopback address of the process that stands for the backend. @default - the sandbox's own */
  readonly backend?: string;
}

/** The backend's answer, and how the call got there. */
export interface PluginAnswer {
  readonly status: number;
  readonly body: string;
  /** The server that took the call, as the cloud has it: `10.20.1.10:8080`. */
  readonly arrivedAt: string;
  /** Where the dial was led instead, on loopback. */
  readonly rerouted: string;
}

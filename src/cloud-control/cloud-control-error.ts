/** An error as the cloud's API reports it. */
export class CloudControlError extends Error {
  override readonly name = 'CloudControlError';

  constructor(
    readonly code: string,
    readonly reason: string,
    readonly status: number,
    readonly requestId: string,
  ) {
    super(`${code}: ${reason} (status ${status}, request id ${requestId})`);
  }

  /** The cloud marks an object that is gone within the text of its message. */
  get isNotFound(): boolean {
    return this.code === 'NotFound' || this.message.includes('HandlerErrorCode: NotFound');
  }

  get isRetryable(): boolean {
    return this.code === 'Throttling' || [429, 502, 503, 504].includes(this.status);
  }
}

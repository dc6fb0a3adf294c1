/** A call of the API, as an endpoint needs it. */
export interface ApiRequest {
  readonly authorization: string;
  readonly query: URLSearchParams;
  readonly logId: string;
}

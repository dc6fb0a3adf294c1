/** The code of a status that means the same whoever answers with it; undefined for any other. */
export function codeOfStatus(status: number) {
  if (status >= 300 && status < 400) return 'http.redirect';
  if (status === 429) return 'http.rate-limited';
  // RFC 6585: sent by what intercepts the call until somebody has logged in.
  if (status === 511) return 'http.captive-portal';
  return status >= 500 && status < 600 ? 'http.server-error' : undefined;
}

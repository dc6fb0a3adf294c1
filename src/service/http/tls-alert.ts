/** The alerts of TLS by number: RFC 8446, section 6. */
const ALERTS = new Map([
  [10, 'unexpected_message'],
  [20, 'bad_record_mac'],
  [21, 'decryption_failed'],
  [22, 'record_overflow'],
  [40, 'handshake_failure'],
  [42, 'bad_certificate'],
  [43, 'unsupported_certificate'],
  [44, 'certificate_revoked'],
  [45, 'certificate_expired'],
  [46, 'certificate_unknown'],
  [47, 'illegal_parameter'],
  [48, 'unknown_ca'],
  [49, 'access_denied'],
  [50, 'decode_error'],
  [51, 'decrypt_error'],
  [70, 'protocol_version'],
  [71, 'insufficient_security'],
  [80, 'internal_error'],
  [86, 'inappropriate_fallback'],
  [90, 'user_canceled'],
  [109, 'missing_extension'],
  [110, 'unsupported_extension'],
  [112, 'unrecognized_name'],
  [113, 'bad_certificate_status_response'],
  [115, 'unknown_psk_identity'],
  [116, 'certificate_required'],
  [120, 'no_application_protocol'],
]);

/**
 * The alert with which the other side ended a TLS connection, by the name of the standard. OpenSSL
 * gives some alerts names of errors that do not speak of one, but always says the number.
 *
 * @returns undefined where the error is none from an alert that was received
 */
export function receivedAlert(error: unknown): string | undefined {
  const number =
    error instanceof Error ? /SSL alert number (\d+)/.exec(error.message)?.[1] : undefined;
  return number === undefined ? undefined : alertName(Number(number));
}

export function alertName(number: number): string {
  return ALERTS.get(number) ?? `alert ${number}`;
}

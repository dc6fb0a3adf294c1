/** The alerts of TLS by number: RFC 8446, section 6, and those of earlier versions. */
const ALERTS = new Map([
  [0, 'close_notify'],
  [10, 'unexpected_message'],
  [20, 'bad_record_mac'],
  [21, 'decryption_failed'],
  [22, 'record_overflow'],
  [30, 'decompression_failure'],
  [40, 'handshake_failure'],
  [41, 'no_certificate'],
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
  [60, 'export_restriction'],
  [70, 'protocol_version'],
  [71, 'insufficient_security'],
  [80, 'internal_error'],
  [86, 'inappropriate_fallback'],
  [90, 'user_canceled'],
  [100, 'no_renegotiation'],
  [109, 'missing_extension'],
  [110, 'unsupported_extension'],
  [111, 'certificate_unobtainable'],
  [112, 'unrecognized_name'],
  [113, 'bad_certificate_status_response'],
  [114, 'bad_certificate_hash_value'],
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

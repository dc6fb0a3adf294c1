/** The credential in an Authorization header, or '' where there is none. */
export function bearerOf(authorization: string): string {
  return /^Bearer ([^\s]+)$/i.exec(authorization)?.[1] ?? '';
}

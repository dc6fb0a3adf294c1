import { randomBytes } from 'node:crypto';

export interface Token {
  readonly appId: string;
  /** Unix time in seconds. */
  readonly expires: number;
  /** Whose conversations the token sees; without a name, those of all without a name. */
  readonly sessionName?: string | undefined;
}

/** The access tokens that were given out and the JWTs that were used up. */
export class TokenStore {
  readonly #tokens = new Map<string, Token>();
  readonly #used = new Set<string>();

  issue(token: Token): string {
    const accessToken = `czs_${randomBytes(32).toString('base64url')}`;
    this.#tokens.set(accessToken, token);
    return accessToken;
  }

  find(accessToken: string): Token | undefined {
    return this.#tokens.get(accessToken);
  }

  /** Marks a JWT as used; answers false where it was used before. */
  use(jti: string): boolean {
    if (this.#used.has(jti)) return false;
    this.#used.add(jti);
    return true;
  }
}

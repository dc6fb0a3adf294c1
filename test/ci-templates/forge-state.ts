export interface Account {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export interface Comment {
  readonly id: number;
  body: string;
  /** Neither forge names an account that is gone. */
  readonly author?: Account;
  readonly createdAt: string;
  updatedAt: string;
}

/** One change request with its comments and labels, whatever the forge. */
export class ForgeState {
  readonly comments: Comment[] = [];
  readonly labels = new Set<string>();
  readonly requests: string[] = [];
  /** Answered to everything, or to the paths that match. */
  refusal?: { readonly status: number; readonly of?: RegExp };
  private seconds = 0;

  /** A second later at each call, as the forges' times have no fractions that can be relied on. */
  private now(): string {
    this.seconds += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.seconds * 1000).toISOString().replace('.000', '');
  }

  comment(author: Account | undefined, body: string): Comment {
    const at = this.now();
    const id = 1000 + this.comments.length;
    const comment = { id, body, createdAt: at, updatedAt: at, ...(author && { author }) };
    this.comments.push(comment);
    return comment;
  }

  edit(comment: Comment, body: string): void {
    Object.assign(comment, { body, updatedAt: this.now() });
  }
}

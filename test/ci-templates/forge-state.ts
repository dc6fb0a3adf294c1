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
  /** An app wrote it in the name of its author. */
  readonly byApp?: true;
}

export interface Push {
  readonly by?: Account;
  readonly from: string;
  readonly to: string;
  readonly isFirst: boolean;
}

const ZERO = '0'.repeat(40);

/** A commit by a number. */
export const commit = (n: number) => String(n).padStart(40, 'c');

export const OPENER: Account = { login: 'opener', type: 'User' };
export const REVIEWER: Account = { login: 'reviewer', type: 'User' };

/** One change request with its comments and pushes, whatever the forge. */
export class ForgeState {
  opener: Account | undefined = OPENER;
  readonly comments: Comment[] = [];
  /** The oldest first. */
  readonly pushes: Push[] = [{ by: OPENER, from: ZERO, to: commit(1), isFirst: true }];
  readonly writers = new Set(['opener', 'reviewer', 'colleague']);
  readonly requests: string[] = [];
  /** Answered to everything, or to the paths that match. */
  refusal?: { readonly status: number; readonly of?: RegExp };
  /** True if the rules of the target branch require a check from elsewhere. */
  isBound = false;
  private seconds = 0;

  get head(): string {
    return this.pushes.at(-1)?.to ?? ZERO;
  }

  push(by: Account | undefined): void {
    const to = commit(this.pushes.length + 1);
    this.pushes.push({ ...(by && { by }), from: this.head, to, isFirst: false });
  }

  /** A second later at each call, as the forges' times have no fractions that can be relied on. */
  now(): string {
    this.seconds += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.seconds * 1000).toISOString().replace('.000', '');
  }

  comment(author: Account | undefined, body: string, more: Pick<Comment, 'byApp'> = {}): Comment {
    const at = this.now();
    const id = 1000 + this.comments.length;
    const comment = { id, body, createdAt: at, updatedAt: at, ...(author && { author }), ...more };
    this.comments.push(comment);
    return comment;
  }

  edit(comment: Comment, body: string): void {
    Object.assign(comment, { body, updatedAt: this.now() });
  }
}

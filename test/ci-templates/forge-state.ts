export interface Account {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export interface Comment {
  readonly id: number;
  body: string;
  readonly author: string;
  readonly createdAt: string;
  updatedAt: string;
}

export interface LabelEvent {
  readonly label: string;
  readonly action: 'add' | 'remove';
  /** Neither forge names an account that is gone. */
  readonly by?: Account;
  readonly at: string;
}

/** One change request with its comments and labels, whatever the forge. */
export class ForgeState {
  readonly author: Account = { login: 'author', type: 'User' };
  readonly comments: Comment[] = [];
  readonly labels = new Set<string>();
  readonly labelEvents: LabelEvent[] = [];
  readonly requests: string[] = [];
  /** Answered to everything, where the token may do nothing. */
  refusal?: number;
  private seconds = 0;

  /** A second later at each call, as the forges' times have no fractions that can be relied on. */
  now(): string {
    this.seconds += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.seconds * 1000).toISOString().replace('.000', '');
  }

  comment(author: string, body: string): Comment {
    const at = this.now();
    const id = 1000 + this.comments.length;
    const comment = { id, body, author, createdAt: at, updatedAt: at };
    this.comments.push(comment);
    return comment;
  }

  setLabel(label: string, by: Account | undefined = { login: 'reviewer', type: 'User' }): void {
    this.labels.add(label);
    this.labelEvents.push({ label, action: 'add', at: this.now(), ...(by && { by }) });
  }

  removeLabel(label: string, by: Account): boolean {
    this.labelEvents.push({ label, action: 'remove', by, at: this.now() });
    return this.labels.delete(label);
  }
}

import { randomInt } from 'node:crypto';
import type { Token } from './token-store.js';

/** What a chat was started with. */
export interface ChatFacts {
  readonly id: string;
  readonly conversationId: string;
  readonly botId: string;
  readonly userId: string;
  /** The user's last message. */
  readonly question: string;
  /** Which question of its conversation this is, from 1. */
  readonly turn: number;
  /** Unix time in seconds. */
  readonly createdAt: number;
}

/** A chat on its way: so many polls find it in progress, and the next one completed. */
export interface StoredChat extends ChatFacts {
  pollsLeft: number;
}

export type NewChat = Pick<ChatFacts, 'botId' | 'userId' | 'question' | 'createdAt'> & {
  readonly token: Token;
  /** Undefined: a new conversation. */
  readonly conversationId: string | undefined;
  /** Whether the conversation remembers the question. */
  readonly autoSaveHistory: boolean;
};

interface Conversation {
  readonly owner: string;
  questions: number;
}

/** The conversations and chats; each belongs to the session of the token that made it. */
export class ChatStore {
  readonly #conversations = new Map<string, Conversation>();
  readonly #chats = new Map<string, StoredChat>();

  /** @param polls how many polls find a chat in progress */
  constructor(private readonly polls: number) {}

  /** @returns undefined where the conversation does not exist for this session */
  start({ token, autoSaveHistory, ...facts }: NewChat): StoredChat | undefined {
    const conversationId = facts.conversationId ?? this.#newConversation(token);
    const conversation = this.#conversations.get(conversationId);
    if (conversation?.owner !== ownerOf(token)) return undefined;
    const turn = conversation.questions + 1;
    if (autoSaveHistory) conversation.questions = turn;
    const chat = { ...facts, id: newId(), conversationId, turn, pollsLeft: this.polls };
    this.#chats.set(chat.id, chat);
    return chat;
  }

  #newConversation(token: Token): string {
    const id = newId();
    this.#conversations.set(id, { owner: ownerOf(token), questions: 0 });
    return id;
  }

  /** @returns undefined where the chat does not exist for this session */
  find(token: Token, conversationId: string, id: string): StoredChat | undefined {
    const chat = this.#chats.get(id);
    const owner = this.#conversations.get(conversationId)?.owner;
    return chat?.conversationId === conversationId && owner === ownerOf(token) ? chat : undefined;
  }
}

function ownerOf({ appId, sessionName }: Token): string {
  return JSON.stringify([appId, sessionName]);
}

/** 19 digits, as the service's IDs have. */
function newId(): string {
  return `7${Array.from({ length: 3 }, () => randomInt(1_000_000).toString().padStart(6, '0')).join('')}`;
}

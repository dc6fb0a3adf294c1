import { randomInt } from 'node:crypto';
import type { JsonObject } from '../json.js';

export interface Token {
  readonly appId: string;
  /** Unix time in seconds. */
  readonly expires: number;
  /** The name whose conversations the token sees; without one, those of all without a name. */
  readonly sessionName?: string | undefined;
}

/** The answer of the agent's plugin, or the reason why it could not be called. */
export interface PluginAnswer {
  readonly name: string;
  readonly result: JsonObject;
}

export interface ChatFacts {
  readonly id: string;
  readonly conversationId: string;
  readonly botId: string;
  /** The user's last message. */
  readonly question: string;
  /** The position of this question in its conversation, from 1. */
  readonly turn: number;
  /** Unix time in seconds. */
  readonly createdAt: number;
  /** The answers of the agent's plugins, which are called once when the chat starts. */
  readonly pluginAnswers: readonly PluginAnswer[];
}

/** A chat on its way: so many polls find it in progress, and the next one completed. */
export interface StoredChat extends ChatFacts {
  pollsLeft: number;
}

type NewChat = Pick<ChatFacts, 'botId' | 'question' | 'createdAt' | 'pluginAnswers'> & {
  readonly token: Token;
  /** Undefined: a new conversation. */
  readonly conversationId: string | undefined;
  /** True if the conversation remembers the question. */
  readonly autoSaveHistory: boolean;
};

interface Conversation {
  readonly owner: string;
  questions: number;
  lastChat: StoredChat | undefined;
}

/** The conversations and chats; each belongs to the session of the token that made it. */
export class ChatStore {
  readonly #conversations = new Map<string, Conversation>();
  readonly #chats = new Map<string, StoredChat>();

  /** @param polls how many polls find a chat in progress */
  constructor(private readonly polls: number) {}

  /**
   * @returns `unknown` where the conversation does not exist for this session, and `occupied` where a
   *   chat of it is still in progress
   */
  start({ token, autoSaveHistory, ...facts }: NewChat): StoredChat | 'unknown' | 'occupied' {
    const conversationId = facts.conversationId ?? this.#newConversation(token);
    const conversation = this.#conversations.get(conversationId);
    if (conversation?.owner !== ownerKey(token)) return 'unknown';
    if ((conversation.lastChat?.pollsLeft ?? 0) > 0) return 'occupied';
    const turn = conversation.questions + 1;
    if (autoSaveHistory) conversation.questions = turn;
    // Nobody can poll a chat that is not saved; it ends by itself.
    const pollsLeft = autoSaveHistory ? this.polls : 0;
    const chat = { ...facts, id: newId(), conversationId, turn, pollsLeft };
    conversation.lastChat = chat;
    if (autoSaveHistory) this.#chats.set(chat.id, chat);
    return chat;
  }

  #newConversation(token: Token): string {
    const id = newId();
    this.#conversations.set(id, { owner: ownerKey(token), questions: 0, lastChat: undefined });
    return id;
  }

  /** @returns undefined where the chat does not exist for this session, or was not saved */
  find(token: Token, conversationId: string, id: string): StoredChat | undefined {
    const chat = this.#chats.get(id);
    const owner = this.#conversations.get(conversationId)?.owner;
    const isOwn = chat?.conversationId === conversationId && owner === ownerKey(token);
    return isOwn ? chat : undefined;
  }
}

function ownerKey({ appId, sessionName }: Token): string {
  return JSON.stringify([appId, sessionName]);
}

/** 19 digits, as the service's IDs have. */
function newId(): string {
  return `7${Array.from({ length: 3 }, () => randomInt(1_000_000).toString().padStart(6, '0')).join('')}`;
}

import { createHmac, type KeyObject } from 'node:crypto';
import { base64url } from '#domain/base64url.ts';
import type { Services } from '../services.ts';
import { derivedKey, codeHash, sameSecret } from './secrets.ts';

/** The most users in one cookie. Those with the oldest login are dropped. */
const MOST_USERS = 5;
const ID_BYTES = 16;
/** The version, one to five entries of a tag and an id of 22 characters each, and the signature. */
const FORMAT = /^(1\.([\w-]{44}(?:~[\w-]{44}){0,4}))\.([\w-]{43})$/u;
const HALF = 22;
/** The prefix of browsers' keys in `known_networks`; keys of networks have no colon. */
export const DEVICE_PREFIX = 'device:';

/** A user of a browser. */
interface Entry {
  /** The keyed hash of the user, which differs in each cookie. */
  readonly tag: string;
  /** 128 random bits, new at each login, so that a planted or copied cookie of an earlier login does not have a later one's. */
  readonly id: string;
}

type SignatureServices = Pick<Services, 'keys' | 'random'>;

/**
 * The users who have logged in with a browser, as its cookie lists them (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 * The cookie is signed and reveals no user. It gives no access, but its users have limits that strangers cannot use up, as long as
 * `known_networks` has the entry's hash. Everything that ends the user's known networks, such as a reset, also ends this.
 */
export class DeviceCookie {
  private readonly key: KeyObject;
  /** The cookie's value as the browser sent it. */
  private readonly initial: readonly Entry[];
  private entries: readonly Entry[];
  /** Whether a login changed it, so that the browser must store it again. */
  changed = false;

  /** @param text from the browser; if it is empty, or not signed by this server, the browser counts as one without users */
  constructor(
    private readonly services: SignatureServices,
    text: string,
  ) {
    this.key = derivedKey(services.keys.codeKey, 'portico: device cookies');
    const [, payload = '', entries = '', signature = ''] = FORMAT.exec(text) ?? [];
    const isOurs = payload !== '' && sameSecret(signature, this.sign(payload));
    this.initial = isOurs ? entries.split('~').map((each) => ({ tag: each.slice(0, HALF), id: each.slice(HALF) })) : [];
    this.entries = this.initial;
  }

  /** The keys under which `known_networks` may list this browser. Their number is the same for every browser. */
  get keys(): readonly string[] {
    return Array.from({ length: MOST_USERS }, (_, place) => this.keyOf(this.initial[place]));
  }

  /** The key of the last login in this browser; null if it has no users. */
  get lastKey(): string | null {
    const [last] = this.initial;
    return last === undefined ? null : this.keyOf(last);
  }

  /** Whether the user has logged in with this browser. */
  knows(userId: string): boolean {
    return this.entryOf(userId) !== undefined;
  }

  /** The user's entry; if there is none, an entry that matches no user. */
  keyFor(userId: string): string {
    return this.keyOf(this.entryOf(userId));
  }

  /**
   * Adds the user, or replaces their id. Returns both keys, of which the earlier one is no longer valid. A repeated transaction calls it
   * again.
   */
  renew(userId: string): { readonly earlier: string; readonly key: string } {
    const previous = this.entryOf(userId);
    const id = base64url(this.services.random.bytes(ID_BYTES));
    const entry = { tag: this.tagOf(userId, id), id };
    this.entries = [entry, ...this.initial.filter((each) => each !== previous)].slice(0, MOST_USERS);
    this.changed = true;
    return { earlier: this.keyOf(previous), key: this.keyOf(entry) };
  }

  /** The cookie's value. */
  get text(): string {
    const payload = `1.${this.entries.map(({ tag, id }) => tag + id).join('~')}`;
    return `${payload}.${this.sign(payload)}`;
  }

  private entryOf(userId: string): Entry | undefined {
    return this.initial.find(({ tag, id }) => tag === this.tagOf(userId, id));
  }

  private keyOf(entry: Entry | undefined): string {
    return DEVICE_PREFIX + codeHash(this.services.keys.codeKey, 'device', entry?.id ?? '');
  }

  private tagOf(userId: string, id: string): string {
    return this.hmac(`user\n${id}\n${userId}`).slice(0, HALF);
  }

  private sign(payload: string): string {
    return this.hmac(`cookie\n${payload}`);
  }

  private hmac(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

/** The storage keys of one client. Clients with different public tokens have different keys. */
export class ClientKeys {
  constructor(readonly publicToken: string) {}

  /** The key of `{ user, session }`. */
  get state(): string {
    return `stytch_sdk_state_${this.publicToken}`;
  }

  storage(key: string): string {
    return `${this.state}::${key}`;
  }
}

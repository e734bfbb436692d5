/** The names under which one client keeps what outlives the page. Two clients with different tokens share none. */
export class ClientKeys {
  constructor(readonly publicToken: string) {}

  /** Where `{ user, session }` lies. */
  get state(): string {
    return `stytch_sdk_state_${this.publicToken}`;
  }

  storage(key: string): string {
    return `${this.state}::${key}`;
  }
}

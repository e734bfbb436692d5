import { skip, type Observable } from 'rxjs';
import type { User } from '../../domain/user.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { UserAccount } from '../use-cases/user-account.ts';

/** The part of `client.user` that a page needs from its start. */
export class UserClient {
  /** The signed-in user now, then every change. */
  readonly user$: Observable<User | null>;

  constructor(
    private readonly account: UserAccount,
    private readonly store: SessionStore,
  ) {
    this.user$ = store.user$;
  }

  /** Fetches the user from the server; null when nobody is signed in. */
  async get(): Promise<User | null> {
    return this.account.get();
  }

  /** The user as this browser knows it. */
  getSync(): User | null {
    return this.store.state().user;
  }

  /** As `getSync`, and whether the server has yet to confirm it in this page. */
  getInfo(): { readonly user: User | null; readonly fromCache: boolean } {
    const { user, fromCache } = this.store.state();
    return { user, fromCache };
  }

  /** Calls back on every change from now on. Answers a function that ends it. */
  onChange(callback: (user: User | null) => void): () => void {
    const subscription = this.user$.pipe(skip(1)).subscribe(callback);
    return () => subscription.unsubscribe();
  }
}
